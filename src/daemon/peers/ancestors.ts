import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { parseStat } from '../processes/process-table.ts';
import { type ClientMark, readMark, readProc } from '../processes/read-processes.ts';

const run = promisify(execFile);

/** A process or one of its ancestors. */
export interface Ancestor {
  pid: number;
  /** Tells a reused pid apart. */
  start: string;
  /** The program's name. */
  name: string;
  /** The kernel session. macOS doesn't report it; there it is the process group. */
  kernelSession: number;
  /** The system's name for its terminal. null: none. */
  tty: string | null;
  /** What a client put into its environment. Linux only. */
  mark: ClientMark | null;
}

/** Deeper than any real one: a pid reused while we climb could form a loop. */
const MAX_DEPTH = 256;

/** The process first, then its ancestors, without the system's first process. Empty: it is gone. */
export async function readAncestors(pid: number): Promise<Ancestor[]> {
  return process.platform === 'linux' ? climbProc(pid) : climbPs(pid);
}

function climbProc(from: number): Ancestor[] {
  const found: Ancestor[] = [];
  for (let pid = from; pid > 1 && found.length < MAX_DEPTH; ) {
    const stat = parseStat(readProc(pid, 'stat'));
    if (!stat) break;
    const { start, name, kernelSession, tty } = stat;
    found.push({ pid, start, name, kernelSession, tty: ttyName(tty), mark: readMark(readProc(pid, 'environ')) });
    pid = stat.parentPid;
  }
  return found;
}

/** Only to tell terminals apart and name them: people see the numbers of pseudo-terminals. */
function ttyName(device: number): string | null {
  if (device === 0) return null;
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  if (major >= 136 && major <= 143) return `pts/${(major - 136) * 256 + minor}`;
  return major === 4 ? `tty${minor}` : `tty ${major}:${minor}`;
}

/** pid, parent, group, terminal, start ("Sat Nov 15 22:24:47 2025") and the command. */
const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/;

async function climbPs(from: number): Promise<Ancestor[]> {
  const env = { ...process.env, LC_ALL: 'C' };
  const { stdout } = await run('ps', ['-axo', 'pid=,ppid=,pgid=,tty=,lstart=,ucomm='], { env, maxBuffer: 64e6 });
  return climbTable(stdout, from);
}

export function climbTable(output: string, from: number): Ancestor[] {
  const table = new Map<number, Ancestor & { parentPid: number }>();
  for (const line of output.split('\n')) {
    const [, pid, parentPid, group, tty, start = '', name = ''] = PS_LINE.exec(line) ?? [];
    if (pid === undefined) continue;
    const terminal = tty === '??' || tty === '?' || tty === undefined ? null : tty;
    const one = { pid: Number(pid), start, name: name.trim(), kernelSession: Number(group), tty: terminal, mark: null };
    table.set(one.pid, { ...one, parentPid: Number(parentPid) });
  }
  const found: Ancestor[] = [];
  for (let one = table.get(from); one && one.pid > 1 && found.length < MAX_DEPTH; one = table.get(one.parentPid)) {
    const { parentPid: _, ...ancestor } = one;
    found.push(ancestor);
  }
  return found;
}

/** Linux counts in hundredths of a second since boot. */
const TICK_MS = 10;

/** When a process started, by our clock. NaN: unknown. */
export function startedAt(start: string, now = Date.now()): number {
  if (process.platform !== 'linux') return Date.parse(start);
  const [uptime = ''] = readFileSync('/proc/uptime', 'utf8').split(' ');
  return now - (Number(uptime) * 1000 - Number(start) * TICK_MS);
}
