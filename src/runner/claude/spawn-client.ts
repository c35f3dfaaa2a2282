import { spawn } from 'node:child_process';
import type { Options } from '@anthropic-ai/claude-agent-sdk';
import type { RunnerProcess } from '../../contract/runners.ts';
import { identify } from '../identity.ts';

/** Starts the client for the SDK, and says which process it is before it does anything: if we are killed, it must be found. */
export function spawnClient(onStart: (process: RunnerProcess) => void): NonNullable<Options['spawnClaudeCodeProcess']> {
  return ({ command, args, cwd, env, signal }) => {
    const child = spawn(command, args, { cwd, env, signal, stdio: ['pipe', 'pipe', 'pipe'] });
    if (child.pid !== undefined) onStart(identify(child.pid));
    // whatever it writes there must not fill a pipe that nobody reads
    child.stderr.pipe(process.stderr, { end: false });
    return child;
  };
}
