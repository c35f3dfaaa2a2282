import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
  return !isZombie(pid);
}

/** A killed process still accepts signals until its parent reaps it, which tmux does a second or two late. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return true;
  }
}

/** Kills a process and its descendants: a client's running tools have their own process groups and outlive it. */
export async function killTree(pid: number): Promise<void> {
  for (const victim of [pid, ...(await descendants(pid))]) {
    if (isAlive(victim)) process.kill(victim, 'SIGKILL');
  }
}

export async function childrenOf(parent: number): Promise<number[]> {
  return (await processes()).filter(([, itsParent]) => itsParent === parent).map(([pid]) => pid);
}

async function descendants(root: number): Promise<number[]> {
  const all = await processes();
  const below = (parent: number): number[] =>
    all.filter(([, itsParent]) => itsParent === parent).flatMap(([pid]) => [pid, ...below(pid)]);
  return below(root);
}

async function processes(): Promise<[pid: number, parent: number][]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [pid: number, parent: number]);
}
