import { spawn } from 'node:child_process';
import type { SetupRun } from '../../contract/worktrees.ts';
import { startTime } from '../processes/process-table.ts';

const TIMEOUT_MS = 15 * 60_000;
const KEPT_OUTPUT = 4000;

export interface CommandPlace {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Called for each process before it is awaited, so that the next daemon can end it if we die. */
  onStart: (running: { pid: number; start: string | null; command: string }) => Promise<void>;
  timeoutMs?: number;
}

type Outcome = Pick<SetupRun, 'status' | 'command' | 'exitCode' | 'output'>;

/** Runs a project's commands in order until one fails. */
export async function runCommands(commands: readonly string[], place: CommandPlace): Promise<Outcome> {
  for (const command of commands) {
    const { exitCode, output } = await runOne(command, place);
    if (exitCode !== 0) return { status: 'failed', command, exitCode, output };
  }
  return { status: commands.length > 0 ? 'done' : 'none', command: null, exitCode: null, output: '' };
}

async function runOne(
  command: string,
  { cwd, env, onStart, timeoutMs = TIMEOUT_MS }: CommandPlace,
): Promise<{ exitCode: number; output: string }> {
  // its own process group, so that everything it started ends with it
  const child = spawn('/bin/sh', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-KEPT_OUTPUT);
    });
  }
  const ended = new Promise<number>((resolve) => {
    child.on('error', (error) => {
      output += error.message;
      resolve(127);
    });
    // not 'close': a background process may keep its output open
    child.on('exit', (code) => resolve(code ?? 1));
  });
  const { pid } = child;
  if (pid !== undefined) await onStart({ pid, start: await startTime(pid), command });
  const timer = setTimeout(() => {
    output += `\nended after ${Math.round(timeoutMs / 60_000)} minutes`;
    if (pid !== undefined) endGroup(pid);
  }, timeoutMs);
  const exitCode = await ended;
  clearTimeout(timer);
  return { exitCode, output: output.trim() };
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
