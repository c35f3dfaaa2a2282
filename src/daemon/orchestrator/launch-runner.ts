import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_TOKEN_VARIABLE, RUNNER_FILES, RUNNER_VARIABLE, SESSION_VARIABLE } from '../../contract/runner-names.ts';
import type { RunnerSpec } from '../../contract/runners.ts';

/** Variables that a client sets for its child processes. If the daemon was started from a client, a new session must not inherit them. */
const OF_ANOTHER_SESSION = [
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_SSE_PORT',
  'AI_AGENT',
  RUNNER_VARIABLE,
  AGENT_TOKEN_VARIABLE,
  SESSION_VARIABLE,
];

export interface LaunchOptions {
  /** The built file to run. */
  program: string;
  dir: string;
  spec: RunnerSpec;
  env: NodeJS.ProcessEnv;
  /** It ended before it reported anything. */
  onFailure: (why: string) => void;
}

/** Starts a runner that outlives us, in its own session and with its own log instead of our terminal. */
export function launchRunner({ program, dir, spec, env, onFailure }: LaunchOptions): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dir, RUNNER_FILES.spec), JSON.stringify(spec), { mode: 0o600 });
  const output = openSync(join(dir, RUNNER_FILES.log), 'a', 0o600);
  const child = spawn(process.execPath, ['--max-semi-space-size=4', program, dir], {
    cwd: dir,
    env: withoutSession(env),
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  child.on('error', (error) => onFailure(`Its runner could not be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    const log = `See ${join(dir, RUNNER_FILES.log)}.`;
    if (signal) onFailure(`Its runner was killed (${signal}). ${log}`);
    else if (code !== 0) onFailure(`Its runner ended with exit code ${code}. ${log}`);
  });
  child.unref();
}

export function withoutSession(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !OF_ANOTHER_SESSION.includes(name)));
}
