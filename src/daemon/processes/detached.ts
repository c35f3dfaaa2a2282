import { readFileSync } from 'node:fs';
import type { DetachedProcess } from '../../contract/sessions.ts';
import type { Process } from './read-processes.ts';
import { withDescendants } from './session-processes.ts';

const MAX_COMMAND = 300;
/** The kernel's clock ticks for process starts; the same on every machine that runs Node. */
const TICKS_PER_SECOND = 100;

/** A detached process with all of its descendants. */
export interface DetachedTree {
  description: DetachedProcess;
  members: Process[];
}

/** Groups `detached` into trees, each shown and ended as one. */
export function toTrees(
  table: Process[],
  detached: Process[],
  { clients }: { clients: ReadonlySet<number> },
): DetachedTree[] {
  const pids = new Set(detached.map(({ pid }) => pid));
  return detached
    .filter(({ parentPid }) => !pids.has(parentPid))
    .map((root) => {
      const members = withDescendants(table, [root]);
      const { pid, start, command } = root;
      return {
        members,
        description: {
          id: `${pid}:${start}`,
          pid,
          command: command.trim().slice(0, MAX_COMMAND).toWellFormed(),
          startedAt: startedAt(root),
          below: members.length - 1,
          warning: warningOf(members, clients),
        },
      };
    });
}

/** Why a person should think twice. */
function warningOf(members: Process[], clients: ReadonlySet<number>): string | null {
  if (members.some(({ pid }) => clients.has(pid))) return 'A Claude Code session is running in it.';
  return members.some(({ hasTerminal }) => hasTerminal) ? 'It holds a terminal, which may be yours.' : null;
}

function startedAt({ start }: Process): number | null {
  if (process.platform !== 'linux') return Date.parse(start) || null;
  const [, bootedAt] = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8')) ?? [];
  return bootedAt ? 1000 * (Number(bootedAt) + Number(start) / TICKS_PER_SECOND) : null;
}
