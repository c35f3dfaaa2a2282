import type { MessageDelta } from '../../../src/contract/runners.ts';

export interface StreamingPart {
  kind: 'text' | 'thinking';
  /** Its offset in the message's text of this kind. After a gap, this isn't where the previous part ended. */
  from: number;
  text: string;
}

/** The part of a message that has arrived. A new object whenever it changes. */
export interface StreamingMessage {
  id: string;
  actorId: string;
  parts: readonly StreamingPart[];
}

export interface StreamingStore {
  of(sessionId: string): readonly StreamingMessage[];
  /** Text is kept only for sessions that someone watches. */
  watch(sessionId: string, listener: () => void): () => void;
  receive(delta: MessageDelta): void;
  /** After a gap in the stream: deltas aren't replayed. */
  reload(): void;
}

interface Options {
  schedule: (flush: () => void) => void;
  /** What the daemon has of the messages being written. */
  fetchOpen: (sessionId: string) => Promise<readonly MessageDelta[]>;
}

interface Watched {
  messages: readonly StreamingMessage[];
  listeners: Set<() => void>;
  loading: boolean;
  /** What arrived after a gap, while the beginning is being fetched. */
  ahead: MessageDelta[];
}

/** Completed messages reach the transcript within this time, so until then the streamed text is shown. */
const LANDING_MS = 5_000;
const NONE: readonly StreamingMessage[] = [];

/** The messages that agents are writing, word by word. The transcript has the final text; see `withStreaming`. */
export function createStreamingStore({ schedule, fetchOpen }: Options): StreamingStore {
  const watched = new Map<string, Watched>();
  const changed = new Set<Watched>();

  function touch(one: Watched) {
    if (changed.size === 0) schedule(flush);
    changed.add(one);
  }

  function flush() {
    const ready = [...changed];
    changed.clear();
    for (const { listeners } of ready) for (const listener of listeners) listener();
  }

  function load(sessionId: string, one: Watched) {
    if (one.loading) return;
    one.loading = true;
    fetchOpen(sessionId)
      .catch(() => [])
      .then((deltas) => {
        one.loading = false;
        for (const delta of deltas) take(one, delta, { gaps: 'accept' });
        // the daemon may not have the beginning either
        for (const delta of one.ahead.splice(0)) take(one, delta, { gaps: 'accept' });
      });
  }

  /** False: something before it is missing. */
  function take(one: Watched, delta: MessageDelta, { gaps }: { gaps: 'accept' | 'refuse' }): boolean {
    const known = one.messages.find(({ id }) => id === delta.messageId);
    const end = endOf(known, delta.kind);
    if (delta.offset > end && gaps === 'refuse') return false;
    if (delta.offset + delta.text.length <= end) return true;
    const message = append(known ?? { id: delta.messageId, actorId: delta.actor.id, parts: [] }, delta, end);
    if (known) one.messages = one.messages.map((other) => (other === known ? message : other));
    else {
      const older = one.messages.filter(({ actorId }) => actorId === delta.actor.id);
      one.messages = [...one.messages, message];
      setTimeout(() => drop(one, older), LANDING_MS);
    }
    touch(one);
    return true;
  }

  function drop(one: Watched, older: readonly StreamingMessage[]) {
    const gone = new Set(older.map(({ id }) => id));
    const left = one.messages.filter(({ id }) => !gone.has(id));
    if (left.length === one.messages.length) return;
    one.messages = left;
    touch(one);
  }

  return {
    of: (sessionId) => watched.get(sessionId)?.messages ?? NONE,
    watch(sessionId, listener) {
      const one: Watched = watched.get(sessionId) ?? {
        messages: NONE,
        listeners: new Set(),
        loading: false,
        ahead: [],
      };
      if (!watched.has(sessionId)) {
        watched.set(sessionId, one);
        load(sessionId, one);
      }
      one.listeners.add(listener);
      return () => {
        one.listeners.delete(listener);
        if (one.listeners.size === 0 && watched.get(sessionId) === one) watched.delete(sessionId);
      };
    },
    receive(delta) {
      const one = watched.get(delta.sessionId);
      if (!one) return;
      if (!one.loading && take(one, delta, { gaps: 'refuse' })) return;
      one.ahead.push(delta);
      load(delta.sessionId, one);
    },
    reload() {
      for (const [sessionId, one] of watched) load(sessionId, one);
    },
  };
}

function endOf(message: StreamingMessage | undefined, kind: StreamingPart['kind']): number {
  const last = message?.parts.findLast((part) => part.kind === kind);
  return last ? last.from + last.text.length : 0;
}

function append(message: StreamingMessage, delta: MessageDelta, end: number): StreamingMessage {
  const { kind } = delta;
  const from = Math.max(end, delta.offset);
  const text = delta.text.slice(from - delta.offset);
  const last = message.parts.at(-1);
  const continues = last?.kind === kind && from === end;
  const parts = continues
    ? [...message.parts.slice(0, -1), { ...last, text: last.text + text }]
    : [...message.parts, { kind, from, text }];
  return { ...message, parts };
}
