import type { StreamEvent } from '../../../src/contract/stream.ts';
import type { SseMessage } from './sse-parser.ts';
import type { Receive, Received } from './store.ts';

/** A stream that has been opened, until it ends or is closed. */
export interface StreamSource {
  close(): void;
}

export interface StreamListener {
  onMessage(message: SseMessage): void;
  /** It was refused, or it broke. Not called after `close`. */
  onEnd(): void;
}

/** What `GET /api/status` said: who we are, not how the daemon feels. */
export type Probe = 'welcome' | 'signed_out' | 'unreachable';

export type Phase =
  | { name: 'connecting' }
  | { name: 'live' }
  | { name: 'reconnecting'; since: number }
  | { name: 'signed_out' };

export interface LiveConnection {
  phase(): Phase;
  subscribe(listener: () => void): () => void;
  /** Opens the stream; also after signing in. */
  start(): void;
  /** Looks at once instead of at the next turn: the tab came back, the network came back. */
  nudge(): void;
  /** The page is put away: it lets go of the stream, and `resume` takes it up again if it comes back. */
  pause(): void;
  resume(): void;
}

interface Options {
  receive: Receive;
  /** From this journal position on; undefined: from a whole picture on. */
  open: (after: number | undefined, listener: StreamListener) => StreamSource;
  probe: () => Promise<Probe>;
  now?: () => number;
}

/** The daemon says something at least every 15 s; a stream silent for longer is dead, whatever TCP thinks. */
const SILENCE_MS = 40_000;
const FIRST_DELAY_MS = 150;
const MAX_DELAY_MS = 30_000;
/** A restart that took four seconds is noticed half a second later, and a daemon that is gone for good is asked ever less. */
const DELAY_SHARE = 0.125;

/**
 * Keeps the stream open. When it ends we ask who we are, and either show the sign-in page or open it again, slower each
 * time.
 */
export function connectLive({ receive, open, probe, now = Date.now }: Options): LiveConnection {
  const listeners = new Set<() => void>();
  let phase: Phase = { name: 'connecting' };
  let source: StreamSource | null = null;
  let heardAt = 0;
  let lastSeq: number | undefined;
  let lostAt = 0;
  /** A server that answers, accepts the stream and says nothing on it must not be hammered. */
  let hungUp = false;
  let probing = 0;
  let isPaused = false;
  const timers: Record<'watchdog' | 'retry', ReturnType<typeof setTimeout> | undefined> = {
    watchdog: undefined,
    retry: undefined,
  };

  function enter(next: Phase) {
    if (next.name === phase.name) return;
    phase = next;
    for (const listener of listeners) listener();
  }

  function openSource() {
    close();
    hungUp = true;
    const opened: StreamSource = open(lastSeq, {
      onMessage({ type, data, lastEventId }) {
        if (opened !== source) return;
        hear();
        if (lastEventId) lastSeq = Number(lastEventId);
        hand(receive, type, { data: JSON.parse(data), seq: lastEventId ? Number(lastEventId) : Number.NaN });
      },
      onEnd() {
        if (opened !== source) return;
        noteLoss(now());
        void attempt();
      },
    });
    source = opened;
    watch();
  }

  function hear() {
    heardAt = now();
    lostAt = 0;
    hungUp = false;
    enter({ name: 'live' });
  }

  /** Up to when what is shown was the present: a stream that fell silent may have been dead since it last spoke. */
  function noteLoss(since: number) {
    lostAt ||= now();
    // who has never been connected is still connecting: no alarm for a page that turns out to be signed out
    if (phase.name === 'live') enter({ name: 'reconnecting', since });
  }

  function watch() {
    heardAt = now();
    const look = () => {
      const left = heardAt + SILENCE_MS - now();
      if (left > 0) {
        timers.watchdog = setTimeout(look, left);
        return;
      }
      noteLoss(heardAt);
      void attempt();
    };
    clearTimeout(timers.watchdog);
    timers.watchdog = setTimeout(look, SILENCE_MS);
  }

  async function attempt() {
    close();
    const mine = ++probing;
    const answer = await probe();
    if (mine !== probing) return;
    if (answer === 'signed_out') return enter({ name: 'signed_out' });
    if (answer === 'welcome' && !hungUp) return openSource();
    const away = now() - lostAt;
    const delay = Math.min(Math.max(away * DELAY_SHARE, FIRST_DELAY_MS), MAX_DELAY_MS);
    timers.retry = setTimeout(answer === 'welcome' ? openSource : attempt, delay);
  }

  function close() {
    probing += 1;
    for (const timer of Object.values(timers)) clearTimeout(timer);
    source?.close();
    source = null;
  }

  return {
    phase: () => phase,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start() {
      lostAt = 0;
      lastSeq = undefined;
      enter({ name: 'connecting' });
      openSource();
    },
    nudge() {
      // a laptop that slept hears of a dead stream only when its timers run again
      if (isPaused) return;
      const connected = lostAt === 0 && now() - heardAt < SILENCE_MS;
      if (connected || phase.name === 'signed_out') return;
      noteLoss(heardAt);
      hungUp = false;
      void attempt();
    },
    pause() {
      isPaused = true;
      close();
    },
    resume() {
      if (!isPaused) return;
      isPaused = false;
      if (phase.name === 'signed_out') return;
      noteLoss(heardAt);
      hungUp = false;
      void attempt();
    },
  };
}

/** Messages of a newer daemon concern nobody here. */
function hand<E extends StreamEvent>(receive: Receive, event: E, message: Received<E>): void {
  receive[event]?.(message);
}
