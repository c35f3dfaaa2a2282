import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ClientHome } from './client-home.ts';
import { childrenOf } from './processes.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { waitFor } from './wait.ts';

const run = promisify(execFile);

/** `<config>/sessions/<pid>.json`, as far as tests need it. */
export interface PidFile {
  pid: number;
  sessionId: string;
  /** Absent during the first moments of the process. */
  status?: 'idle' | 'busy' | 'waiting' | 'shell';
  waitingFor?: string;
  [field: string]: unknown;
}

/** One entry of `claude agents --json`. */
export interface ListedAgent {
  pid: number;
  sessionId: string;
  status: string;
  waitingFor?: string;
  [field: string]: unknown;
}

export interface ClientOptions {
  args?: string[];
  permissionMode?: 'default' | 'plan' | 'acceptEdits' | 'auto' | 'bypassPermissions';
  /** Added to the clean environment of the home. */
  env?: Record<string, string>;
  /** Runs below a shell, as in a person's terminal. tmux resumes its own command as soon as it is stopped (SIGSTOP). */
  underShell?: boolean;
}

export interface InteractiveClient extends Terminal {
  /** Replaces the input line with a prompt and sends it. */
  prompt(text: string): Promise<void>;
  /** The conversation currently on screen: `/clear` changes it. */
  sessionId(): Promise<string>;
  /** Undefined once the client has removed it. */
  pidFile(): Promise<PidFile | undefined>;
  waitForStatus(status: NonNullable<PidFile['status']>): Promise<PidFile>;
  /** What the client itself reports about every session in this home. */
  agentsJson(): Promise<ListedAgent[]>;
  /** Exits with `/exit`, as a person does. */
  exit(): Promise<void>;
}

/** Claude Code's interactive screen in its own terminal, ready for the first prompt. */
export async function startInteractive(home: ClientHome, options: ClientOptions = {}): Promise<InteractiveClient> {
  const command = [home.binary, ...clientArgs(options)];
  const terminal = await openTerminal({
    command: options.underShell ? ['sh', '-c', '"$@"; exit $?', 'sh', ...command] : command,
    cwd: home.project,
    env: { ...home.env, ...options.env },
  });
  const pid = options.underShell ? await onlyChild(terminal.pid) : terminal.pid;
  const pidFile = () => readPidFile(join(home.configDir, 'sessions', `${pid}.json`));
  const client: InteractiveClient = {
    ...terminal,
    pid,
    pidFile,
    prompt: (text) => sendPrompt(terminal, text),
    sessionId: async () => (await waitFor(pidFile, { what: "the client's pid file" })).sessionId,
    waitForStatus: (status) =>
      waitFor(
        async () => {
          const now = await pidFile();
          return now?.status === status ? now : undefined;
        },
        { what: `the pid file to say ${status}`, timeout: 60_000, context: terminal.lastScreen },
      ),
    agentsJson: () => agentsJson(home),
    exit: async () => {
      await sendPrompt(terminal, '/exit');
      await terminal.ended();
    },
  };
  try {
    await terminal.waitForScreen((screen) => inputLine(screen) !== undefined, { what: 'the input line of the client' });
    await client.waitForStatus('idle');
    return client;
  } catch (error) {
    await terminal.dispose();
    throw error;
  }
}

export interface HeadlessRun {
  code: number;
  stdout: string;
  stderr: string;
}

/** `claude -p`: one prompt, answered on stdout. */
export async function runHeadless(home: ClientHome, prompt: string, options: ClientOptions = {}): Promise<HeadlessRun> {
  const client = run(home.binary, ['-p', prompt, ...clientArgs(options)], {
    cwd: home.project,
    env: { ...home.env, ...options.env },
    timeout: 120_000,
  });
  // with an open pipe on stdin, the client waits a few seconds for more input
  client.child.stdin?.end();
  try {
    return { code: 0, ...(await client) };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout: string; stderr: string };
    if (typeof code !== 'number') throw error;
    return { code, stdout, stderr };
  }
}

export async function agentsJson(home: ClientHome): Promise<ListedAgent[]> {
  const options = { cwd: home.project, env: home.env, timeout: 60_000 };
  const { stdout } = await run(home.binary, ['agents', '--json'], options);
  return JSON.parse(stdout) as ListedAgent[];
}

function onlyChild(pid: number): Promise<number> {
  return waitFor(async () => (await childrenOf(pid))[0], { what: `a child of ${pid}` });
}

function clientArgs({ args = [], permissionMode = 'default' }: ClientOptions): string[] {
  return ['--permission-mode', permissionMode, ...args];
}

async function sendPrompt(terminal: Terminal, text: string): Promise<void> {
  await waitFor(
    async () => {
      // an interrupted prompt returns to the input line, maybe a moment after we looked
      await terminal.press('C-u');
      await terminal.type(text);
      // Enter in the same read as the text counts as part of a paste, so the text must be on screen first
      return terminal.waitForScreen((screen) => inputLine(screen) === text, { timeout: 3000 });
    },
    { what: `the prompt "${text}" in the input line`, timeout: 60_000, context: terminal.lastScreen },
  );
  await terminal.press('Enter');
}

/** The last line with a prompt sign; earlier ones are sent prompts. */
function inputLine(screen: string): string | undefined {
  const line = screen.split('\n').findLast((text) => text.startsWith('❯'));
  return line?.slice(1).trim();
}

async function readPidFile(path: string): Promise<PidFile | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as PidFile;
  } catch (error) {
    // the client may be writing the file right now
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
