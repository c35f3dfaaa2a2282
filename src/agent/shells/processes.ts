import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Set in the environment of every process of a shell. Survives setsid, unlike the process group. */
export const SHELL_MARK = 'GROUNDCONTROL_SHELL';

export interface ProcessInfo {
  pid: number;
  parent: number;
  group: number;
  /** One letter, as `ps` shows it: R running, S sleeping, D waiting for a device, T stopped, Z ended but not collected. */
  state: string;
  command: string;
}

const isLinux = process.platform === 'linux';

/** All live processes of a shell, found by mark, process group or ancestors. */
export async function processesOf(mark: string, group: number): Promise<ProcessInfo[]> {
  const all = isLinux ? fromProc(group) : await fromPs();
  const members = new Set<number>();
  for (const { pid, info, hasMark } of all) if (info.group === group || hasMark(mark)) members.add(pid);
  for (let grew = true; grew; ) {
    grew = false;
    for (const { pid, info } of all)
      if (!members.has(pid) && members.has(info.parent)) {
        members.add(pid);
        grew = true;
      }
  }
  const alive = all.filter(({ pid, info }) => members.has(pid) && !info.state.startsWith('Z'));
  return alive.map(({ info }) => (isLinux ? withCommandLine(info) : info));
}

interface Found {
  pid: number;
  info: ProcessInfo;
  hasMark(mark: string): boolean;
}

/**
 * Synchronous on purpose: these files are in memory, reading them through the thread pool takes six times as long, and this runs after
 * every command. A process older than the shell can't have its mark, so only younger ones are checked.
 */
function fromProc(group: number): Found[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readProcess(Number(name)) ?? []) : []));
  const since = all.find(({ pid }) => pid === group)?.startedAt ?? 0;
  return all.map(({ pid, info, startedAt }) => ({
    pid,
    info,
    hasMark: (mark) => startedAt >= since && readGone(`/proc/${pid}/environ`).includes(`${SHELL_MARK}=${mark}`),
  }));
}

const STARTED_AT = 19;

function readProcess(pid: number): { pid: number; info: ProcessInfo; startedAt: number } | undefined {
  const stat = readGone(`/proc/${pid}/stat`);
  if (stat === '') return undefined;
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = '', parent = '0', group = '0'] = fields;
  const info = { pid, parent: Number(parent), group: Number(group), state, command: `[${name}]` };
  return { pid, info, startedAt: Number(fields[STARTED_AT]) };
}

function withCommandLine(info: ProcessInfo): ProcessInfo {
  const line = readGone(`/proc/${info.pid}/cmdline`).replaceAll('\0', ' ').trim();
  return line === '' ? info : { ...info, command: line };
}

/** Skips processes that just ended or belong to another user. */
function readGone(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

async function fromPs(): Promise<Found[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axEww', '-o', 'pid=,ppid=,pgid=,state=,command='], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, group, state, command] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (!pid || !state || command === undefined) return [];
    const info = { pid: Number(pid), parent: Number(parent), group: Number(group), state, command };
    return [{ pid: Number(pid), info, hasMark: (mark: string) => command.includes(`${SHELL_MARK}=${mark}`) }];
  });
}

export interface EndOptions {
  /** How long a process may take to end after TERM. */
  graceMs: number;
  /** How long to keep trying with KILL. */
  killMs: number;
}

/** Sends TERM, then KILL, until the process table shows that nothing is left. Returns the pids that survived. */
export async function endProcesses(
  find: () => Promise<ProcessInfo[]>,
  { graceMs, killMs }: EndOptions,
): Promise<number[]> {
  signalAll(await find(), 'SIGTERM');
  const left = await waitUntilGone(find, graceMs);
  if (left.length === 0) return [];
  const deadline = Date.now() + killMs;
  for (;;) {
    const alive = await find();
    if (alive.length === 0) return [];
    signalAll(alive, 'SIGKILL');
    if (Date.now() >= deadline) return alive.map(({ pid }) => pid);
    await sleep(20);
  }
}

async function waitUntilGone(find: () => Promise<ProcessInfo[]>, ms: number): Promise<ProcessInfo[]> {
  const deadline = Date.now() + ms;
  for (let pause = 10; ; pause = Math.min(pause * 2, 100)) {
    const alive = await find();
    if (alive.length === 0 || Date.now() >= deadline) return alive;
    await sleep(pause);
  }
}

function signalAll(processes: ProcessInfo[], signal: NodeJS.Signals): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

/** "Why is it still running": the processes as an indented tree. */
export function drawTree(processes: ProcessInfo[]): string {
  const pids = new Set(processes.map(({ pid }) => pid));
  const roots = processes.filter(({ parent }) => !pids.has(parent));
  const draw = (info: ProcessInfo, depth: number): string[] => [
    `${'  '.repeat(depth)}${info.pid} ${STATES[info.state[0] ?? ''] ?? info.state}  ${info.command.slice(0, 200)}`,
    ...processes.filter(({ parent }) => parent === info.pid).flatMap((child) => draw(child, depth + 1)),
  ];
  return roots.flatMap((root) => draw(root, 0)).join('\n');
}

const STATES: Record<string, string> = {
  R: 'running',
  S: 'waiting',
  D: 'waiting for a device',
  T: 'stopped',
  t: 'traced',
  I: 'idle',
};
