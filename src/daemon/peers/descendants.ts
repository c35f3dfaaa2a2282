import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parseStat } from '../processes/process-table.ts';
import { readProc, readProcesses } from '../processes/read-processes.ts';
import { sharedReading } from '../processes/shared-reading.ts';

/** A process below another one. */
export interface Descendant {
  pid: number;
  start: string;
  kernelSession: number;
}

/** The kernel may be built without these lists. */
const hasChildLists = process.platform === 'linux' && existsSync(`/proc/${process.pid}/task/${process.pid}/children`);

const readTable = sharedReading(readProcesses);

export interface Family {
  /** undefined: it exited. */
  root: Descendant | undefined;
  below: Descendant[];
}

/** A process and its current descendants. The cost depends on those, not on all processes of the machine. */
export async function readFamily(pid: number): Promise<Family> {
  return hasChildLists ? { root: readOne(pid), below: walkChildLists(pid) } : walkTable(pid);
}

function readOne(pid: number): Descendant | undefined {
  const stat = parseStat(readProc(pid, 'stat'));
  return stat && { pid, start: stat.start, kernelSession: stat.kernelSession };
}

function walkChildLists(root: number): Descendant[] {
  const found = new Map<number, Descendant>();
  const parents = [root];
  for (const parent of parents) {
    for (const pid of childrenOf(parent)) {
      const one = found.has(pid) ? undefined : readOne(pid);
      if (!one) continue;
      found.set(pid, one);
      parents.push(pid);
    }
  }
  return [...found.values()];
}

/** Each thread lists the children it started itself. */
function childrenOf(pid: number): number[] {
  const folder = `/proc/${pid}/task`;
  const threads = ifThere(() => readdirSync(folder)) ?? [];
  return threads.flatMap((thread) => {
    const list = ifThere(() => readFileSync(`${folder}/${thread}/children`, 'latin1')) ?? '';
    return list.split(' ').filter(Boolean).map(Number);
  });
}

async function walkTable(rootPid: number): Promise<Family> {
  const table = await readTable();
  const found = new Set<number>([rootPid]);
  for (const parent of found) for (const one of table) if (one.parentPid === parent) found.add(one.pid);
  const root = table.find(({ pid }) => pid === rootPid);
  return { root, below: table.filter(({ pid }) => pid !== rootPid && found.has(pid)) };
}

function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
