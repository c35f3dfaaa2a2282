import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { isRunning } from '../../../../system/is-running.ts';
import { readPidFiles } from '../../../processes/pid-files.ts';
import { compareVersions } from './compare-versions.ts';

const TIMEOUT_MS = 3000;

interface ClientVersionOptions {
  configDir: string;
  /** Where to look for `claude`: a PATH. */
  path?: string | undefined;
}

/**
 * The client version to write hooks for: the oldest running one, since all of them read the same settings and an old one rejects what it
 * doesn't know; else the installed one; else undefined.
 */
export async function findClientVersion({
  configDir,
  path = process.env.PATH,
}: ClientVersionOptions): Promise<string | undefined> {
  return (await oldestRunning(configDir)) ?? (await installed(path));
}

async function oldestRunning(configDir: string): Promise<string | undefined> {
  const files = await readPidFiles(configDir);
  const versions = files.flatMap(({ pid, version }) => (version && isRunning(pid) ? [version] : []));
  return versions.sort(compareVersions)[0];
}

async function installed(path: string | undefined): Promise<string | undefined> {
  const options = { timeout: TIMEOUT_MS, killSignal: 'SIGKILL' as const, env: { ...process.env, PATH: path } };
  // No client on this machine, or one that can't start. Not an error here; doctor reports it.
  const { stdout } = await promisify(execFile)('claude', ['--version'], options).catch(() => ({ stdout: '' }));
  return stdout.match(/\d+\.\d+\.\d+/)?.[0];
}
