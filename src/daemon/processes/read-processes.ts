import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SESSION_VARIABLE } from '../../contract/runner-names.ts';
import { parseStat } from './process-table.ts';

const run = promisify(execFile);
/** How many processes to read per event loop turn: about a millisecond. */
const AT_ONCE = 32;

export interface Process {
  pid: number;
  parentPid: number;
  groupId: number;
  /** The kernel session. macOS doesn't report it; there it is the process group. */
  kernelSession: number;
  /** It has a controlling terminal. The client's tools have none; a tmux or screen window has its own. */
  hasTerminal: boolean;
  /** Tells a reused pid apart. */
  start: string;
  /** By SIGSTOP or Ctrl-Z: until it continues, it acts on no signal but SIGKILL. */
  isStopped: boolean;
  command: string;
  /** null: not a client's child, or its environment isn't readable (macOS, another user's process, an old client). */
  mark: ClientMark | null;
}

/**
 * What the client puts into the environment of everything it starts. Processes inherit it and keep it when detached. `agent`: started for
 * the model, a tool. `harness`: a hook or an MCP server.
 */
export interface ClientMark {
  sessionId: string;
  role: 'agent' | 'harness' | null;
}

/** Every live process, without zombies. */
export function readProcesses(): Promise<Process[]> {
  return process.platform === 'linux' ? readFromProc() : readFromPs();
}

/** Synchronously, since these files are in memory: the thread pool takes ten times as long. */
async function readFromProc(): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found: Process[] = [];
  for (const [index, pid] of pids.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await nextTurn();
    const one = readOne(pid);
    if (one) found.push(one);
  }
  return found;
}

function readOne(pid: number): Process | undefined {
  const stat = parseStat(readProc(pid, 'stat'));
  if (!stat) return undefined;
  const { state, parentPid, groupId, kernelSession, tty, start } = stat;
  return {
    pid,
    parentPid,
    groupId,
    kernelSession,
    hasTerminal: tty !== 0,
    start,
    isStopped: state === 'T',
    command: readProc(pid, 'cmdline').replaceAll('\0', ' '),
    mark: readMark(readProc(pid, 'environ')),
  };
}

/** Empty for a process that is gone or that we may not inspect. */
export function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

export function readMark(environment: string): ClientMark | null {
  const value = (name: string) => {
    const at = `\0${environment}`.indexOf(`\0${name}=`);
    return at < 0 ? undefined : environment.slice(at + name.length + 1).split('\0', 1)[0];
  };
  const own = value(SESSION_VARIABLE);
  if (own) return { sessionId: own, role: 'agent' };
  const sessionId = value('CLAUDE_CODE_SESSION_ID');
  if (!sessionId) return null;
  const role = /_(agent|harness)$/.exec(value('AI_AGENT') ?? '')?.[1] as ClientMark['role'] | undefined;
  return { sessionId, role: role ?? null };
}

/** pid, parent, group, terminal, state, start ("Sat Nov 15 22:24:47 2025") and the command. */
const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/;
/** How ps writes "no terminal": Linux, macOS. */
const NO_TERMINAL = /^\?+$|^-$/;

async function readFromPs(): Promise<Process[]> {
  const columns = 'pid=,ppid=,pgid=,tty=,stat=,lstart=,command=';
  const { stdout } = await run('ps', ['-axwwo', columns], { env: { ...process.env, LC_ALL: 'C' }, maxBuffer: 64e6 });
  return parsePs(stdout);
}

export function parsePs(output: string): Process[] {
  return output.split('\n').flatMap((line) => {
    const found = PS_LINE.exec(line);
    const state = found?.[5];
    if (!found || !state || state.startsWith('Z')) return [];
    const groupId = Number(found[3]);
    return {
      pid: Number(found[1]),
      parentPid: Number(found[2]),
      groupId,
      kernelSession: groupId,
      hasTerminal: !NO_TERMINAL.test(found[4]!),
      start: found[6]!,
      isStopped: state.startsWith('T'),
      command: found[7]!,
      mark: null,
    };
  });
}
