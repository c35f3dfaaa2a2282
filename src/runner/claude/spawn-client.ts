import { spawn } from 'node:child_process';
import type { Options } from '@anthropic-ai/claude-agent-sdk';
import type { RunnerProcess } from '../../contract/runners.ts';
import { identify } from '../identity.ts';

/** Starts the client for the SDK and records its process before it does anything, so that it can be found if we are killed. */
export function spawnClient(onStart: (process: RunnerProcess) => void): NonNullable<Options['spawnClaudeCodeProcess']> {
  return ({ command, args, cwd, env, signal }) => {
    const child = spawn(command, args, { cwd, env, signal, stdio: ['pipe', 'pipe', 'pipe'] });
    if (child.pid !== undefined) onStart(identify(child.pid));
    // a pipe without a reader would fill up
    child.stderr.pipe(process.stderr, { end: false });
    return child;
  };
}
