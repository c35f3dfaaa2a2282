import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isAlive, killTree } from './processes.ts';
import { type WaitOptions, waitFor } from './wait.ts';

const run = promisify(execFile);

export type Key =
  | 'Enter'
  | 'Escape'
  | 'Up'
  | 'Down'
  | 'Left'
  | 'Right'
  | 'Tab'
  | 'BTab'
  | 'Space'
  | 'C-b'
  | 'C-c'
  | 'C-d'
  | 'C-u';

export interface Terminal {
  /** The pid of the command itself, not of tmux. */
  pid: number;
  type(text: string): Promise<void>;
  press(...keys: Key[]): Promise<void>;
  screen(): Promise<string>;
  /** The screen as last read, for error messages. */
  lastScreen(): string;
  waitForScreen(match: RegExp | ((screen: string) => boolean), options?: Partial<WaitOptions>): Promise<string>;
  alive(): boolean;
  /** Resolves once the command is gone. */
  ended(): Promise<void>;
  /** Ends the command, what it started, and the terminal. */
  dispose(): Promise<void>;
}

export interface TerminalOptions {
  command: string[];
  cwd: string;
  /** The command's full environment: nothing is inherited from the test. */
  env: Record<string, string>;
}

/** Runs a command in a separate tmux: private socket, no user configuration, removed at the end. */
export async function openTerminal({ command, cwd, env }: TerminalOptions): Promise<Terminal> {
  const folder = await mkdtemp(join(tmpdir(), 'gc-tmux-'));
  const socket = join(folder, 'socket');
  const tmux = async (...args: string[]) => (await run('tmux', ['-S', socket, '-f', '/dev/null', ...args])).stdout;
  const variables = Object.entries(env).map(([key, value]) => `${key}=${value}`);
  const words = ['env', '-i', ...variables, ...command].map(quote).join(' ');
  try {
    await tmux('new-session', '-d', '-x', '160', '-y', '50', '-c', cwd, `exec ${words}`);
    await tmux('run-shell', '-b', leaveWith(process.pid, socket));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw missingTmux(error) ?? error;
  }
  const pid = Number(await tmux('display-message', '-p', '#{pane_pid}'));

  let seen = '';
  const alive = () => isAlive(pid);
  const lastScreen = () => `the screen:\n${seen.trimEnd()}`;
  const screen = async () => {
    if (alive()) seen = await tmux('capture-pane', '-p');
    return seen;
  };
  const ended = async () => {
    await waitFor(() => !alive(), { what: `process ${pid} to end`, timeout: 60_000, context: lastScreen });
  };
  return {
    pid,
    type: async (text) => void (await tmux('send-keys', '-l', text)),
    press: async (...keys) => void (await tmux('send-keys', ...keys)),
    screen,
    lastScreen,
    waitForScreen: (match, options) =>
      waitFor(
        async () => {
          const now = await screen();
          return (match instanceof RegExp ? match.test(now) : match(now)) ? now : undefined;
        },
        { what: `the screen to show ${match}`, timeout: 60_000, interval: 100, context: lastScreen, ...options },
      ),
    alive,
    ended,
    dispose: async () => {
      await killTree(pid);
      await ended();
      // once its only window is gone, the server may exit before us
      await tmux('kill-server').catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A killed test run cleans up nothing, and tmux would keep the client alive forever. */
function leaveWith(owner: number, socket: string): string {
  return `while kill -0 ${owner} 2>/dev/null; do sleep 2; done; tmux -S ${quote(socket)} kill-server`;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function missingTmux(error: unknown): Error | undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return undefined;
  return new Error('tmux is missing: install it with `apt-get install tmux` (Debian) or `brew install tmux` (macOS).');
}
