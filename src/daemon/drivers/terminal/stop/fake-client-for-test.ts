import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { signalProcess } from '../../../processes/end-processes.ts';
import { type Process, readProcesses } from '../../../processes/read-processes.ts';

export interface FakeOptions {
  configDir: string;
  sessionId?: string;
  status?: 'busy' | 'idle' | 'waiting';
  waitingFor?: string;
  /** Shell commands, each in its own session, the way the client runs its Bash tool. */
  tools?: string[];
  /** Whether its children carry the client's marks. */
  isMarked?: boolean;
  /** Turns idle when its last tool ends, like a client whose turn our hooks end. */
  yields?: boolean;
  ignoresTerm?: boolean;
  /** What the pid file says; the truth by default. */
  procStart?: string;
  entrypoint?: string;
  /** Part of its command line. */
  args?: string[];
}

export type FakeClient = Awaited<ReturnType<typeof startFakeClient>>;

export const LOOP = 'while :; do sleep 0.1; done';

/** A process that looks like a client from outside: a pid file, tools in their own groups, an MCP server, a hook. */
export async function startFakeClient({ sessionId = randomUUID(), ...options }: FakeOptions) {
  const folder = join(options.configDir, 'sessions');
  mkdirSync(folder, { recursive: true });
  const child = spawn(process.execPath, ['-e', `(${fakeClient})()`, '--', sessionId, ...(options.args ?? [])], {
    // in its own terminal: the terminal that runs the tests must not be mistaken for a tool
    detached: true,
    env: { PATH: process.env.PATH, FAKE: JSON.stringify({ isMarked: true, ...options, sessionId, folder }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const everyone = async () => {
    const table = await readProcesses();
    const isMine = ({ pid, mark, command }: Process) =>
      pid === child.pid || mark?.sessionId === sessionId || command.includes(sessionId);
    return table.filter(isMine);
  };
  onTestFinished(async () => {
    for (const one of await everyone()) await signalProcess(one, 'SIGKILL');
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const named = async (name: string) =>
    (await everyone()).filter(({ command }) => command.includes(`${name} ${sessionId}`));
  return {
    sessionId,
    pid: child.pid!,
    child,
    everyone,
    tools: () => named('tool'),
    mcp: () => named('mcp'),
    hook: () => named('hook'),
    isAlive: async () => (await everyone()).some(({ pid }) => pid === child.pid),
  };
}

/** Runs in the child from its source text, so it can't use anything else in this file. */
function fakeClient(): void {
  const { spawn } = require('node:child_process');
  const { existsSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
  const options = JSON.parse(process.env.FAKE ?? '{}');
  const { folder, sessionId, status = 'busy', waitingFor, tools = [], isMarked, yields, ignoresTerm } = options;
  const { entrypoint } = options;
  const file = `${folder}/${process.pid}.json`;
  const own = existsSync('/proc/self/stat') ? readFileSync('/proc/self/stat', 'utf8') : undefined;
  const procStart = options.procStart ?? own?.slice(own.lastIndexOf(')') + 2).split(' ')[19];
  const say = (now: string) =>
    writeFileSync(
      file,
      JSON.stringify({
        pid: process.pid,
        sessionId,
        procStart,
        entrypoint,
        status: now,
        waitingFor,
        statusUpdatedAt: Date.now(),
      }),
    );
  const marks = (role: string) => ({ CLAUDE_CODE_SESSION_ID: sessionId, AI_AGENT: `claude-code_test_${role}` });
  const start = (role: string, name: string, command: string, detached: boolean) =>
    spawn('sh', ['-c', command, `${name} ${sessionId}`], {
      detached,
      env: { PATH: process.env.PATH, ...(isMarked ? marks(role) : {}) },
      stdio: 'ignore',
    });
  start('harness', 'mcp', 'while :; do sleep 0.1; done', false);
  start('harness', 'hook', 'while :; do sleep 0.1; done # groundcontrol-hook', true);
  let running = tools.length;
  for (const command of tools)
    start('agent', 'tool', command, true).on('exit', () => {
      running--;
      if (yields && running === 0) say('idle');
    });
  process.on('SIGTERM', () => {
    if (ignoresTerm) return;
    rmSync(file, { force: true });
    process.exit(143);
  });
  say(status);
  setInterval(() => undefined, 60_000);
  process.stdout.write('ready');
}
