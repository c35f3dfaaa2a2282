import type { Ancestor } from './ancestors.ts';

/** A client of a watched session. */
export interface WatchedClient {
  pid: number;
  /** null: the system doesn't say. */
  start: string | null;
  sessionId: string;
}

/** A process, distinct from later ones with the same pid. */
export interface ProcessKey {
  pid: number;
  start: string;
}

/** Where a terminal starts: usually its shell. */
export interface Terminal extends ProcessKey {
  /** The system's name for it: pts/3. */
  name: string;
  program: string;
}

/** What is known about a caller. */
export interface Evidence {
  /** The caller and its ancestors. */
  lineage: Ancestor[];
  clients: WatchedClient[];
  /** The session we saw start this process. */
  ownerOf: (ancestor: Ancestor) => string | undefined;
  isWatched: (sessionId: string) => boolean;
  /** A session whose tool was running when this process started. Not asked for a browser. */
  ranWhenStarted: (process: ProcessKey) => string | undefined;
  /** The operator confirmed it as their own. */
  isConfirmed: (process: ProcessKey) => boolean;
}

export type Suspicion = 'descends' | 'seen' | 'marked' | 'opened';

/**
 * `agent`: certainly a session's own process. `unclear`: it may be a session's or the operator's, such as a terminal in a tmux that an
 * agent started, which has the agent's mark no matter who opened the window; only someone trusted can tell. `person`: nothing speaks
 * against it.
 */
export type Origin =
  | { kind: 'agent'; sessionId: string; how: Suspicion }
  | {
      kind: 'unclear';
      sessionId: string;
      how: Suspicion;
      about: ProcessKey & { program: string };
      terminal: Terminal | null;
    }
  | { kind: 'person'; terminal: Terminal | null };

export function judgeOrigin(evidence: Evidence): Origin {
  const { lineage, clients, isConfirmed, ranWhenStarted } = evidence;
  for (const ancestor of lineage) {
    const client = clients.find((one) => isSame(one, ancestor));
    if (client) return { kind: 'agent', sessionId: client.sessionId, how: 'descends' };
  }
  const terminal = terminalOf(lineage);
  const suspect = findSuspect(evidence);
  const about = terminal ? { ...terminal } : suspect?.ancestor;
  if (about && isConfirmed(about)) return { kind: 'person', terminal };
  // Without a terminal, no person can have taken it over in between.
  if (suspect?.how === 'seen' && !terminal) return { kind: 'agent', sessionId: suspect.sessionId, how: 'seen' };
  if (suspect) {
    const { sessionId, how, ancestor } = suspect;
    return {
      kind: 'unclear',
      sessionId,
      how,
      about: terminal ?? { ...keyOf(ancestor), program: ancestor.name },
      terminal,
    };
  }
  const from = terminal ? lineage.findIndex((one) => isSame(one, terminal)) : lineage.findIndex(isOrphan);
  const opened = lineage
    .slice(from)
    .map(ranWhenStarted)
    .find((sessionId) => sessionId !== undefined);
  const opener = lineage[from];
  if (opened === undefined || !opener) return { kind: 'person', terminal };
  const root = terminal ?? { ...keyOf(opener), program: opener.name };
  if (isConfirmed(root)) return { kind: 'person', terminal };
  return { kind: 'unclear', sessionId: opened, how: 'opened', about: root, terminal };
}

/** Orphaned processes are reparented to one of these. */
const REAPERS = /^(?:systemd|launchd|init)$/;

function isOrphan(_one: Ancestor, index: number, lineage: Ancestor[]): boolean {
  const parent = lineage[index + 1];
  return parent === undefined || REAPERS.test(parent.name);
}

/** "Seen" outranks "marked": everything a session ever started passes the mark on. */
function findSuspect({ lineage, ownerOf, isWatched }: Evidence) {
  for (const ancestor of lineage) {
    const sessionId = ownerOf(ancestor);
    if (sessionId !== undefined) return { sessionId, how: 'seen' as const, ancestor };
  }
  // The topmost: others below it inherited the mark.
  const ancestor = lineage.findLast(({ mark }) => mark !== null && isWatched(mark.sessionId));
  return ancestor?.mark ? { sessionId: ancestor.mark.sessionId, how: 'marked' as const, ancestor } : undefined;
}

/** The topmost process in the caller's terminal. */
function terminalOf(lineage: Ancestor[]): Terminal | null {
  const tty = lineage[0]?.tty ?? null;
  if (tty === null) return null;
  const outside = lineage.findIndex((one) => one.tty !== tty);
  const top = lineage[(outside < 0 ? lineage.length : outside) - 1];
  return top ? { ...keyOf(top), name: tty, program: top.name } : null;
}

const keyOf = ({ pid, start }: ProcessKey): ProcessKey => ({ pid, start });

/** A client's start may be unknown, and macOS formats it differently from the client. */
export const isSame = (a: { pid: number; start: string | null }, b: ProcessKey): boolean =>
  a.pid === b.pid && (a.start === null || process.platform !== 'linux' || a.start === b.start);
