import type { StreamEvent } from '../../../src/contract/stream.ts';
import type { Receive } from './store.ts';

/** The part of EventSource that we use. */
export interface StreamSource {
  readonly readyState: number;
  onerror: ((this: never, event: never) => unknown) | null;
  addEventListener(type: StreamEvent, listener: (event: { data: string; lastEventId: string }) => void): void;
  close(): void;
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
  stop(): void;
}

interface Options {
  receive: Receive;
  /** From this journal position on; undefined: from a whole picture on. */
  open: (after: number | undefined) => StreamSource;
  probe: () => Promise<Probe>;
  now?: () => number;
}

const CLOSED = 2;
/** The daemon says something at least every 15 s; a stream silent for longer is dead, whatever TCP thinks. */
const SILENCE_MS = 40_000;
/** How long the browser's own reconnect may take. Chromium begins it after three seconds, which is too late. */
const PATIENCE_MS = 300;
const FIRST_DELAY_MS = 150;
const MAX_DELAY_MS = 30_000;
/** A restart that took four seconds is noticed half a second later, and a daemon that is gone for good is asked ever less. */
const DELAY_SHARE = 0.125;

/**
 * Keeps the stream open. EventSource gives up for good after an error answer, and does not say which one; then we ask
 * who we are, and either show the sign-in page or try again, slower each time.
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
  const timers: Record<'watchdog' | 'patience' | 'retry', ReturnType<typeof setTimeout> | undefined> = {
    watchdog: undefined,
    patience: undefined,
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
    const opened = open(lastSeq);
    source = opened;
    opened.onerror = () => lose(opened);
    for (const event of Object.keys(receive) as StreamEvent[]) {
      opened.addEventListener(event, ({ data, lastEventId }) => {
        hear();
        if (lastEventId) lastSeq = Number(lastEventId);
        receive[event]({ data: JSON.parse(data), seq: lastEventId ? Number(lastEventId) : Number.NaN });
      });
    }
    watch();
  }

  function hear() {
    heardAt = now();
    lostAt = 0;
    hungUp = false;
    clearTimeout(timers.patience);
    timers.patience = undefined;
    enter({ name: 'live' });
  }

  function lose(lost: StreamSource) {
    if (lost !== source) return;
    noteLoss(now());
    if (lost.readyState === CLOSED) return void attempt();
    timers.patience ??= setTimeout(() => void attempt(), PATIENCE_MS);
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
    timers.patience = undefined;
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
      const connected = lostAt === 0 && now() - heardAt < SILENCE_MS;
      if (connected || phase.name === 'signed_out') return;
      noteLoss(heardAt);
      hungUp = false;
      void attempt();
    },
    stop: close,
  };
}
