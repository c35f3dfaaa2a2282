import type { StreamEvent } from '../../../src/contract/stream.ts';
import type { SseMessage } from './sse-parser.ts';
import type { Receive, Received } from './store.ts';

/** An open stream, until it ends or is closed. */
export interface StreamSource {
  close(): void;
}

export interface StreamListener {
  onMessage(message: SseMessage): void;
  /** It was refused or it broke. Not called after `close`. */
  onEnd(): void;
}

/** What `GET /api/status` said about us, not about the daemon. */
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
  /** Retries now instead of at the next interval: the tab or the network came back. */
  nudge(): void;
  /** The page is suspended: closes the stream. `resume` reopens it. */
  pause(): void;
  resume(): void;
}

interface Options {
  receive: Receive;
  /** Start after this journal position. undefined: start with a full snapshot. */
  open: (after: number | undefined, listener: StreamListener) => StreamSource;
  probe: () => Promise<Probe>;
  now?: () => number;
}

/** The daemon sends something at least every 15 s. A stream that is silent for longer is dead, whatever TCP thinks. */
const SILENCE_MS = 40_000;
const FIRST_DELAY_MS = 150;
const MAX_DELAY_MS = 30_000;
/** A four-second restart is noticed half a second later, and a daemon that is gone for good is polled less and less. */
const DELAY_SHARE = 0.125;

/** Keeps the stream open. When it ends, we check who we are, then either show the sign-in page or reconnect with backoff. */
export function connectLive({ receive, open, probe, now = Date.now }: Options): LiveConnection {
  const listeners = new Set<() => void>();
  let phase: Phase = { name: 'connecting' };
  let source: StreamSource | null = null;
  let heardAt = 0;
  let lastSeq: number | undefined;
  let lostAt = 0;
  /** Don't hammer a server that accepts the stream and then sends nothing. */
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

  /** How current the data is: a stream that fell silent may have been dead since its last message. */
  function noteLoss(since: number) {
    lostAt ||= now();
    // Before the first connection we're still connecting: no alarm for a page that turns out to be signed out.
    if (phase.name === 'live') enter({ name: 'reconnecting', since });
  }

  function watch() {
    heardAt = now();
    const check = () => {
      const left = heardAt + SILENCE_MS - now();
      if (left > 0) {
        timers.watchdog = setTimeout(check, left);
        return;
      }
      noteLoss(heardAt);
      void attempt();
    };
    clearTimeout(timers.watchdog);
    timers.watchdog = setTimeout(check, SILENCE_MS);
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
      // After sleep, a laptop notices a dead stream only when its timers run again.
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

/** A newer daemon may send messages this page doesn't know. Ignore them. */
function hand<E extends StreamEvent>(receive: Receive, event: E, message: Received<E>): void {
  receive[event]?.(message);
}
