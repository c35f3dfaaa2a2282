import type { Ancestor } from './lineage.ts';

/** A client of a watched session. */
export interface WatchedClient {
  pid: number;
  /** null: the system does not tell. */
  start: string | null;
  sessionId: string;
}

/** A process, told apart from later ones with the same number. */
export interface ProcessKey {
  pid: number;
  start: string;
}

/** Where a terminal begins: the shell in it, as a rule. */
export interface Terminal extends ProcessKey {
  /** As the system calls it: pts/3. */
  name: string;
  program: string;
}

/** What is known when somebody asks. */
export interface Evidence {
  /** Who asks, and what that descends from. */
  lineage: Ancestor[];
  clients: WatchedClient[];
  /** The session that we saw start this process. */
  ownerOf: (ancestor: Ancestor) => string | undefined;
  isWatched: (sessionId: string) => boolean;
  /** A session one of whose tools ran when this process was started. Nobody is asked for a browser. */
  ranWhenStarted: (process: ProcessKey) => string | undefined;
  /** The operator has said that it is their own. */
  isConfirmed: (process: ProcessKey) => boolean;
}

export type Suspicion = 'descends' | 'seen' | 'marked' | 'opened';

/**
 * `agent`: a session's own process, beyond doubt. `unclear`: it may be a session's, or the person's: a terminal in a tmux that an agent started
 * has the agent's mark, whoever opened the window. Only somebody who is clear can say. `person`: nothing speaks against it.
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
  // without a terminal no person could have come to have it in between
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

/** What has lost its parents is given to one of these. */
const REAPERS = /^(?:systemd|launchd|init)$/;

function isOrphan(_one: Ancestor, index: number, lineage: Ancestor[]): boolean {
  const parent = lineage[index + 1];
  return parent === undefined || REAPERS.test(parent.name);
}

/** Seen goes before marked: the mark alone is handed on by everything that a session ever started. */
function findSuspect({ lineage, ownerOf, isWatched }: Evidence) {
  for (const ancestor of lineage) {
    const sessionId = ownerOf(ancestor);
    if (sessionId !== undefined) return { sessionId, how: 'seen' as const, ancestor };
  }
  // the topmost: below it are others that inherited the mark
  const ancestor = lineage.findLast(({ mark }) => mark !== null && isWatched(mark.sessionId));
  return ancestor?.mark ? { sessionId: ancestor.mark.sessionId, how: 'marked' as const, ancestor } : undefined;
}

/** The topmost process in the terminal of whoever asks. */
function terminalOf(lineage: Ancestor[]): Terminal | null {
  const tty = lineage[0]?.tty ?? null;
  if (tty === null) return null;
  const outside = lineage.findIndex((one) => one.tty !== tty);
  const top = lineage[(outside < 0 ? lineage.length : outside) - 1];
  return top ? { ...keyOf(top), name: tty, program: top.name } : null;
}

const keyOf = ({ pid, start }: ProcessKey): ProcessKey => ({ pid, start });

/** A client's start may not be known, and macOS does not spell it as the client does. */
export const isSame = (a: { pid: number; start: string | null }, b: ProcessKey): boolean =>
  a.pid === b.pid && (a.start === null || process.platform !== 'linux' || a.start === b.start);
