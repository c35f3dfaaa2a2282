import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { DaemonFile } from '../../src/contract/daemon.ts';
import { DATA_FILES } from '../../src/contract/data-files.ts';
import { checkout, cleanEnv, newHome } from './daemon-process.ts';
import { operatorOf, takeOperatorLink } from './operator-tokens.ts';
import { isAlive } from './processes.ts';
import { waitFor } from './wait.ts';

export const gctlBinary = join(checkout, 'bin', 'gctl');

export interface GctlRun {
  code: number;
  stdout: string;
  stderr: string;
}

interface GctlOptions {
  env?: Record<string, string>;
  cwd?: string;
  /** How to call it. Default: the file in the checkout. */
  program?: string;
}

/** A separate home for one test, and the real `gctl` in it. A daemon left in it ends with the test. */
export function makeGctlHome() {
  const home = newHome();
  const configDir = join(home, '.claude');
  const dataDir = join(home, '.groundcontrol');
  const settingsFile = join(configDir, 'settings.json');
  mkdirSync(configDir);
  onTestFinished(async () => {
    const pid = daemonFile(dataDir)?.pid;
    if (pid !== undefined && isAlive(pid)) await end(pid);
    rmSync(home, { recursive: true, force: true });
  });
  return {
    home,
    configDir,
    dataDir,
    settingsFile,
    gctl: (...args: string[]) => runGctl(home, args),
    run: (args: string[], options: GctlOptions) => runGctl(home, args, options),
    daemon: () => daemonFile(dataDir),
    writeSettings: (text: string) => writeFileSync(settingsFile, text),
    /** Undefined: there is none. */
    settings: () => (existsSync(settingsFile) ? readFileSync(settingsFile, 'utf8') : undefined),
  };
}

/** Runs without a terminal and with an empty stdin, so it acts like a script with its own token. */
export async function runGctl(home: string, args: string[], options: GctlOptions = {}): Promise<GctlRun> {
  const named = args.indexOf('--data-dir');
  const dataDir = (named < 0 ? undefined : args[named + 1]) ?? join(home, '.groundcontrol');
  const own = operatorOf(dataDir);
  const env = { ...(own === undefined ? {} : { GROUNDCONTROL_TOKEN: own }), ...options.env };
  const run = await execGctl(home, args, { ...options, env });
  if (args[0] === 'up') await takeOperatorLink(dataDir, run.stdout);
  return run;
}

function execGctl(home: string, args: string[], options: GctlOptions): Promise<GctlRun> {
  const { env = {}, cwd = home, program = gctlBinary } = options;
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      args,
      { env: cleanEnv(home, env), cwd, timeout: 120_000 },
      (error, stdout, stderr) => {
        const code = error ? error.code : 0;
        if (typeof code === 'number') resolve({ code, stdout, stderr });
        else reject(error);
      },
    );
    child.stdin?.end();
  });
}

function daemonFile(dataDir: string): DaemonFile | undefined {
  const path = join(dataDir, DATA_FILES.daemon);
  return existsSync(path) ? DaemonFile.parse(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
}

async function end(pid: number): Promise<void> {
  process.kill(pid, 'SIGTERM');
  await waitFor(() => !isAlive(pid), { what: `the daemon ${pid} to end` });
}
