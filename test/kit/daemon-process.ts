import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Credentials, DaemonFile } from '../../src/contract/daemon.ts';
import { DATA_FILES } from '../../src/contract/data-files.ts';
import { takeOperatorLink } from './operator-tokens.ts';
import { waitFor } from './wait.ts';

/** The checkout, whether this runs from source or bundled from a folder below it. */
export const checkout = findUp('package-lock.json');

function findUp(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, name))) folder = dirname(folder);
  return folder;
}

export interface DaemonProcess {
  url: string;
  port: number;
  pid: number;
  home: string;
  dataDir: string;
  credentials: Credentials;
  /** The token of the test, which signed in with the link that the first start printed. */
  operatorToken: string;
  child: ChildProcess;
  output(): string;
  /** Sends a signal and waits until the process is gone. */
  kill(signal: NodeJS.Signals): Promise<void>;
  dispose(): Promise<void>;
}

export interface DaemonProcessOptions {
  /** A home to reuse. Default: a new temporary one. */
  home?: string;
  args?: string[];
  env?: Record<string, string>;
  /** The program to run. Default: this checkout's. */
  from?: string;
}

/** An environment that hides the person's own `~/.claude` from every program. */
export function cleanEnv(home: string, more: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: home, TERM: 'xterm-256color', ...more };
}

export function newHome(): string {
  return mkdtempSync(join(tmpdir(), 'gc-home-'));
}

/** In a new data folder: a state calls the operator after a fifth of a second instead of two, which every request in every test would wait. */
function callSooner(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, DATA_FILES.preferences);
  if (!existsSync(path)) writeFileSync(path, '{ "settleMs": 200 }\n', { mode: 0o600 });
}

/** The real daemon in its own process, in a temporary home, on a free port. */
export async function startDaemonProcess({
  home: given,
  args = [],
  env = {},
  from = checkout,
}: DaemonProcessOptions = {}): Promise<DaemonProcess> {
  const home = given ?? newHome();
  const dataDir = join(home, '.groundcontrol');
  mkdirSync(join(home, '.claude'), { recursive: true });
  rmSync(join(dataDir, DATA_FILES.daemon), { force: true });
  callSooner(dataDir);
  const command = [join(from, 'bin', 'gctl'), 'up', '--port', '0', '--no-open', ...args];
  const child = spawn(process.execPath, command, { env: cleanEnv(home, env), stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  const exited = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const answering = waitFor(
    async () => {
      const path = join(dataDir, DATA_FILES.daemon);
      if (!existsSync(path)) return undefined;
      const daemon = DaemonFile.parse(JSON.parse(readFileSync(path, 'utf8')));
      // it prints its address once it has handled the hook options
      return output.includes('Open: ') && (await fetch(`${daemon.url}/healthz`)).ok ? daemon : undefined;
    },
    { timeout: 60_000, what: 'the daemon to answer', interval: 20, context: () => output },
  );
  const died = exited.then(() => {
    throw new Error(`the daemon ended with ${child.exitCode}: ${output}`);
  });
  died.catch(() => undefined);
  answering.catch(() => undefined);
  const file = await Promise.race([answering, died]).catch((error: unknown) => {
    // nothing else would end it
    child.kill('SIGKILL');
    throw error;
  });
  const operatorToken = await takeOperatorLink(dataDir, output);
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited;
  };
  return {
    url: file.url,
    port: file.port,
    pid: file.pid,
    home,
    dataDir,
    credentials: Credentials.parse(JSON.parse(readFileSync(join(dataDir, DATA_FILES.credentials), 'utf8'))),
    operatorToken: operatorToken ?? '',
    child,
    output: () => output,
    kill,
    async dispose() {
      if (child.exitCode === null && child.signalCode === null) await kill('SIGTERM');
      if (!given) rmSync(home, { recursive: true, force: true });
    },
  };
}
