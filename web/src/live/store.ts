import type { LiveSession } from '../../../src/contract/sessions.ts';
import type { StreamData, StreamEvent, Summary } from '../../../src/contract/stream.ts';

/** How many ended sessions to remember, so a late update doesn't bring one back. */
const REMEMBERED_ENDS = 1000;

export interface Received<E extends StreamEvent> {
  data: StreamData<E>;
  /** The journal position from the event's id. NaN if it has none. */
  seq: number;
}

/** Handlers by message type. */
export type Receive = { [E in StreamEvent]: (message: Received<E>) => void };

export interface Today {
  costUsd: number | null;
  tokens: number | null;
}

export interface LiveStore {
  get(id: string): LiveSession | undefined;
  all(): ReadonlyMap<string, LiveSession>;
  /** False until the first snapshot arrives: only then does an empty board mean anything. */
  isReady(): boolean;
  /** Total cost since midnight. null: unknown. */
  today(): Today;
  /** Called at most once per frame, after any change. */
  subscribe(listener: () => void): () => void;
  /** Called only when this session changed. */
  subscribeTo(id: string, listener: () => void): () => void;
  receive: Pick<Receive, 'summary' | (`session_${string}` & StreamEvent)>;
}

/**
 * The sessions as the daemon reports them. Updates are collected and shown frame by frame, so five hundred events a second cost sixty
 * renders. A session's object stays the same until that session changes.
 */
export function createLiveStore({ schedule }: { schedule: (flush: () => void) => void }): LiveStore {
  const latest = new Map<string, LiveSession>();
  const shown = new Map<string, LiveSession>();
  const changed = new Set<string>();
  const endedAt = new Map<string, number>();
  const listeners = new Set<() => void>();
  const sessionListeners = new Map<string, Set<() => void>>();
  let hadPicture = false;
  let ready = false;
  let scheduled = false;
  let today: Today = { costUsd: null, tokens: null };

  function change(id: string) {
    changed.add(id);
    touch();
  }

  function touch() {
    if (scheduled) return;
    scheduled = true;
    schedule(flush);
  }

  function flush() {
    scheduled = false;
    ready = hadPicture;
    const ids = [...changed];
    changed.clear();
    for (const id of ids) {
      const session = latest.get(id);
      if (session) shown.set(id, session);
      else shown.delete(id);
    }
    for (const id of ids) for (const listener of sessionListeners.get(id) ?? []) listener();
    for (const listener of listeners) listener();
  }

  function put(session: LiveSession) {
    const known = latest.get(session.id);
    if (session.seq <= (known?.seq ?? endedAt.get(session.id) ?? -1)) return;
    endedAt.delete(session.id);
    latest.set(session.id, session);
    change(session.id);
  }

  function remove(id: string) {
    if (latest.delete(id)) change(id);
  }

  /** A full snapshot, whatever was known before: the journal may have been recreated. */
  function replaceAll(sessions: readonly LiveSession[]) {
    const gone = new Set(latest.keys());
    endedAt.clear();
    for (const session of sessions) {
      gone.delete(session.id);
      latest.set(session.id, session);
      changed.add(session.id);
    }
    for (const id of gone) remove(id);
    hadPicture = true;
    touch();
  }

  return {
    get: (id) => shown.get(id),
    all: () => shown,
    isReady: () => ready,
    today: () => today,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    subscribeTo(id, listener) {
      const set = sessionListeners.get(id) ?? new Set();
      sessionListeners.set(id, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && sessionListeners.get(id) === set) sessionListeners.delete(id);
      };
    },
    receive: {
      summary({ data: summary }) {
        noteToday(summary);
        if (summary.reset) replaceAll(summary.sessions ?? []);
      },
      session_discovered: receiveUpdate,
      session_updated: receiveUpdate,
      session_stopping: receiveUpdate,
      session_removed({ data, seq }) {
        const { sessionId } = data;
        const known = latest.get(sessionId);
        // It ended and was resumed since; this is an outdated message.
        if (known && known.seq > seq) return;
        rememberEnd(endedAt, sessionId, Number.isNaN(seq) ? (known?.seq ?? 0) : seq);
        remove(sessionId);
      },
    },
  };

  function noteToday({ totalCostTodayUsd, totalTokensToday }: Summary) {
    if (totalCostTodayUsd === today.costUsd && totalTokensToday === today.tokens) return;
    today = { costUsd: totalCostTodayUsd, tokens: totalTokensToday };
    touch();
  }

  function receiveUpdate({ data }: { data: LiveSession }) {
    put(data);
  }
}

function rememberEnd(endedAt: Map<string, number>, id: string, seq: number) {
  endedAt.delete(id);
  endedAt.set(id, seq);
  const [oldest] = endedAt.keys();
  if (endedAt.size > REMEMBERED_ENDS && oldest !== undefined) endedAt.delete(oldest);
}
