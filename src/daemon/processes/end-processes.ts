import { setTimeout as sleep } from 'node:timers/promises';
import { startTime } from './process-table.ts';
import type { Process } from './read-processes.ts';

const POLL_MS = 40;

export interface EndTargets {
  table: Process[];
  /** The processes in the table that have to end. */
  victims: Process[];
}

export interface Ended {
  ended: number[];
  left: number[];
}

/** SIGTERM, then SIGKILL after `termMs`, until none is left: a process that is told to end may start others meanwhile. */
export async function endProcesses(
  findTargets: () => Promise<EndTargets>,
  { termMs, killMs = 2000 }: { termMs: number; killMs?: number },
): Promise<Ended> {
  const told = new Map<string, number>();
  const asked = performance.now();
  for (;;) {
    const { table, victims } = await findTargets();
    const elapsed = performance.now() - asked;
    if (victims.length === 0 || elapsed > termMs + killMs) {
      const left = victims.map(({ pid }) => pid);
      return { ended: [...new Set(told.values())].filter((pid) => !left.includes(pid)), left };
    }
    const signal = elapsed < termMs ? 'SIGTERM' : 'SIGKILL';
    const due = victims.filter((victim) => signal === 'SIGKILL' || !told.has(identity(victim)));
    for (const victim of due) told.set(identity(victim), victim.pid);
    await signalAll(due, { table, victims, signal });
    await sleep(POLL_MS);
  }
}

/** By group if the whole group has to end, so nothing forks away in between. */
async function signalAll(
  due: Process[],
  { table, victims, signal }: EndTargets & { signal: NodeJS.Signals },
): Promise<void> {
  const isVictim = new Set(victims);
  const others = new Set(table.filter((one) => !isVictim.has(one)).map(({ groupId }) => groupId));
  for (const groupId of new Set(due.map((one) => one.groupId))) {
    const members = due.filter((one) => one.groupId === groupId);
    const leader = members.find(({ pid }) => pid === groupId);
    if (leader && !others.has(groupId)) await signalProcess(leader, signal, { wholeGroup: true });
    else for (const member of members) await signalProcess(member, signal);
  }
}

/** Only if the pid is still this process. False: it is gone, or we may not signal it. */
export async function signalProcess(
  { pid, start }: { pid: number; start: string | null },
  signal: NodeJS.Signals,
  { wholeGroup = false } = {},
): Promise<boolean> {
  if (pid <= 1 || pid === process.pid) return false;
  if (process.platform === 'linux' && start !== null && (await startTime(pid)) !== start) return false;
  try {
    process.kill(wholeGroup ? -pid : pid, signal);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ESRCH' || code === 'EPERM') return false;
    throw error;
  }
}

const identity = ({ pid, start }: Process) => `${pid} ${start}`;
