import type { Approval } from '../../../../src/contract/approvals.ts';

/** How many settled approvals to remember, so we can say who was first. */
const REMEMBERED = 500;

export interface ApprovalsSnapshot {
  /** Oldest first. */
  pending: readonly Approval[];
  bySession: ReadonlyMap<string, readonly Approval[]>;
  /** Decided, but the decision hasn't reached the asker yet. Oldest decision first. */
  undelivered: readonly Approval[];
  /** False until the first list arrives: only then does an empty inbox mean anything. */
  ready: boolean;
}

export interface ApprovalsStore {
  snapshot(): ApprovalsSnapshot;
  subscribe(listener: () => void): () => void;
  /** A pending approval, or one settled while this page was open. */
  get(id: string): Approval | undefined;
  /** Whether everything this session asked since then is settled. It will continue any moment, even though it hasn't reported that yet. */
  isAnswered(sessionId: string, since: number): boolean;
  put(approval: Approval): void;
  /** Reloads the list: the stream can't replay it. */
  load(): Promise<void>;
}

interface Options {
  fetchPending: () => Promise<Approval[]>;
  fetchUndelivered: () => Promise<Approval[]>;
  fetchOne: (id: string) => Promise<Approval>;
  schedule: (flush: () => void) => void;
}

/** Pending approvals, as the daemon reports them. A settled approval never becomes pending again. */
export function createApprovalsStore(options: Options): ApprovalsStore {
  const { fetchPending, fetchUndelivered, fetchOne, schedule } = options;
  const known = new Map<string, Approval>();
  const settled = new Set<string>();
  const listeners = new Set<() => void>();
  let snapshot: ApprovalsSnapshot = { pending: [], bySession: new Map(), undelivered: [], ready: false };
  let ready = false;
  let scheduled = false;
  let loads = 0;

  function touch() {
    if (scheduled) return;
    scheduled = true;
    schedule(flush);
  }

  function flush() {
    scheduled = false;
    const pending = [...known.values()].filter((approval) => approval.status === 'pending').sort(byAge);
    const found = [...known.values()].filter(isOnItsWay).sort(byDecision);
    const undelivered = isSame(found, snapshot.undelivered) ? snapshot.undelivered : found;
    snapshot = { pending, bySession: keepSame(groupBySession(pending), snapshot.bySession), undelivered, ready };
    for (const listener of listeners) listener();
  }

  function put(approval: Approval) {
    const isSettled = approval.status !== 'pending';
    if (!isSettled && settled.has(approval.id)) return;
    // Ignore a list that was requested before the decision arrived.
    const before = known.get(approval.id)?.delivery?.state;
    if (before !== undefined && before !== 'pending' && isOnItsWay(approval)) return;
    known.set(approval.id, approval);
    if (isSettled) remember(approval.id);
    touch();
  }

  function forget(id: string) {
    known.delete(id);
    touch();
  }

  function remember(id: string) {
    settled.add(id);
    const [oldest] = settled;
    if (settled.size <= REMEMBERED || oldest === undefined) return;
    settled.delete(oldest);
    known.delete(oldest);
  }

  return {
    snapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get: (id) => known.get(id),
    isAnswered(sessionId, since) {
      for (const id of settled) {
        const approval = known.get(id);
        if (approval?.sessionId === sessionId && (approval.settledAt ?? 0) >= since) return true;
      }
      return false;
    },
    put,
    async load() {
      const mine = ++loads;
      const before = new Set(known.keys());
      const onTheirWay = snapshot.undelivered.map(({ id }) => id);
      const [pending, undelivered] = await Promise.all([fetchPending(), fetchUndelivered()]);
      if (mine !== loads) return;
      const waiting = new Set(pending.map(({ id }) => id));
      // Keep approvals that arrived on the stream during the request and are missing in the response.
      for (const id of before) if (!waiting.has(id) && !settled.has(id)) known.delete(id);
      for (const approval of [...pending, ...undelivered]) put(approval);
      const still = new Set(undelivered.map(({ id }) => id));
      // The stream doesn't replay what happened to these.
      for (const id of onTheirWay) if (!still.has(id)) fetchOne(id).then(put, () => forget(id));
      ready = true;
      touch();
    },
  };
}

function byAge(a: Approval, b: Approval): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

function byDecision(a: Approval, b: Approval): number {
  return (a.settledAt ?? 0) - (b.settledAt ?? 0) || (a.id < b.id ? -1 : 1);
}

const isOnItsWay = ({ delivery }: Approval): boolean => delivery?.state === 'pending';

const isSame = (a: readonly Approval[], b: readonly Approval[]): boolean =>
  a.length === b.length && a.every((approval, index) => approval === b[index]);

function groupBySession(approvals: readonly Approval[]): Map<string, Approval[]> {
  const groups = new Map<string, Approval[]>();
  for (const approval of approvals) {
    const group = groups.get(approval.sessionId);
    if (group) group.push(approval);
    else groups.set(approval.sessionId, [approval]);
  }
  return groups;
}

/** A session's list stays the same object until something in it changes, so a card rerenders only for its own approvals. */
function keepSame(
  next: Map<string, readonly Approval[]>,
  before: ReadonlyMap<string, readonly Approval[]>,
): Map<string, readonly Approval[]> {
  for (const [id, list] of next) {
    const old = before.get(id);
    if (old && isSame(old, list)) next.set(id, old);
  }
  return next;
}
