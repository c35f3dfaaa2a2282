import { spawn } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';
import { AgentError } from '../errors.ts';

export interface SearchRun {
  lines: string[];
  /** There were more than `most` lines. */
  isCut: boolean;
}

const LONGEST_LINE = 2000;

/** Runs the bundled ripgrep and stops it once there are enough lines. */
export function runRipgrep(
  args: string[],
  options: { cwd: string; most: number; signal: AbortSignal },
): Promise<SearchRun> {
  const { cwd, most, signal } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(rgPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], signal });
    const lines: string[] = [];
    let rest = '';
    let problem = '';
    let isCut = false;
    const decoder = new TextDecoder();
    child.stdout.on('data', (chunk: Buffer) => {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = (parts.pop() ?? '').slice(0, 10 * LONGEST_LINE);
      for (const line of parts) {
        if (lines.length < most) lines.push(line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line);
        else isCut = true;
      }
      if (isCut) child.kill();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      problem = (problem + chunk.toString()).slice(0, 2000);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (rest !== '' && lines.length < most) lines.push(rest.slice(0, LONGEST_LINE));
      // 1: no match. 2 with lines: some files couldn't be read
      if (!isCut && code === 2 && lines.length === 0) reject(new AgentError('search.failed', problem.trim()));
      else resolve({ lines, isCut });
    });
  });
}
