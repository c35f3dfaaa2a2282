import type { RunnerProcesses } from '../../../contract/runners.ts';
import { bootId } from '../../processes/boot-id.ts';
import { endProcesses } from '../../processes/end-processes.ts';
import { readProcesses } from '../../processes/read-processes.ts';
import { withDescendants } from '../../processes/session-processes.ts';

const TERM_MS = 1000;

/**
 * A client whose runner was killed would finish its turn with no one to ask. Finds it by pid and start time and ends it with everything it
 * started.
 */
export async function endOrphans({ bootId: boot, runner, clients }: RunnerProcesses): Promise<number[]> {
  if (boot !== bootId()) return [];
  const known = new Map([runner, ...clients].map(({ pid, start }) => [pid, start]));
  const check = async () => {
    const table = await readProcesses();
    const roots = table.filter(({ pid, start }) => known.get(pid) === start);
    const victims = withDescendants(table, roots);
    // ending a process orphans its children, so remember all of them
    for (const { pid, start } of victims) known.set(pid, start);
    return { table, victims };
  };
  const { ended } = await endProcesses(check, { termMs: TERM_MS });
  return ended;
}
