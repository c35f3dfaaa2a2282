import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { isRunning } from '../../system/is-running.ts';

const run = promisify(execFile);

export interface ClientProcess {
  pid: number;
  /** Its start time in the client's own format, which tells a reused pid apart. null: unavailable. */
  start: string | null;
  cwd: string | null;
}

/** Alive, and still the process with this start time. */
export async function isAlive({ pid, start }: { pid: number; start: string | null }): Promise<boolean> {
  if (!isRunning(pid)) return false;
  if (start === null || process.platform !== 'linux') return true;
  const now = await startTime(pid);
  return now !== null && now === start;
}

/** null for a process that is gone or a zombie. Read synchronously: the file is in memory, and the thread pool takes ten times as long. */
export async function startTime(pid: number): Promise<string | null> {
  return parseStat(readStat(pid))?.start ?? null;
}

function readStat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}

export interface Stat {
  /** The program's name, at most 15 characters. */
  name: string;
  state: string;
  parentPid: number;
  groupId: number;
  kernelSession: number;
  /** Device number of its terminal. 0: none. */
  tty: number;
  start: string;
}

/** `/proc/<pid>/stat`. undefined for a process that is gone or a zombie. */
export function parseStat(stat: string): Stat | undefined {
  // The name in parentheses may contain spaces and parentheses.
  const nameEnd = stat.lastIndexOf(')');
  const fields = stat.slice(nameEnd + 2).split(' ');
  const [state = '', parentPid, groupId, kernelSession, tty] = fields;
  const start = fields[19];
  if (start === undefined || state === 'Z' || state === 'X') return undefined;
  return {
    name: stat.slice(stat.indexOf('(') + 1, nameEnd),
    state,
    parentPid: Number(parentPid),
    groupId: Number(groupId),
    kernelSession: Number(kernelSession),
    tty: Number(tty),
    start,
  };
}

/** Clients on this machine by the process table, for versions that write no pid file. */
export async function findClients(): Promise<ClientProcess[]> {
  return process.platform === 'linux' ? findOnLinux() : findWithPs();
}

async function findOnLinux(): Promise<ClientProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const args = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
      if (!isClient(args)) return undefined;
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => null);
      return { pid, start: await startTime(pid), cwd };
    }),
  );
  return found.filter((one) => one !== undefined);
}

async function findWithPs(): Promise<ClientProcess[]> {
  const { stdout } = await run('ps', ['-axo', 'pid=,command=']).catch(() => ({ stdout: '' }));
  const pids = stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, ...args]) => isClient(args))
    .map(([pid]) => Number(pid));
  return Promise.all(pids.map(async (pid) => ({ pid, start: null, cwd: await cwdWithLsof(pid) })));
}

async function cwdWithLsof(pid: number): Promise<string | null> {
  const { stdout } = await run('lsof', ['-a', '-p', String(pid), '-d', 'cwd', '-Fn']).catch(() => ({ stdout: '' }));
  return /^n(.+)$/m.exec(stdout)?.[1] ?? null;
}

function isClient([program = '', script = '']: string[]): boolean {
  if (basename(program) === 'claude') return true;
  return basename(program) === 'node' && /@anthropic-ai\/claude-code\/|\/claude$/.test(script);
}
