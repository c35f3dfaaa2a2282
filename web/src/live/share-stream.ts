import { ownName } from '../api/base-path.ts';
import type { StreamListener, StreamSource } from './connect.ts';
import type { SseMessage } from './sse-parser.ts';

/** Start after this journal position. undefined: start with a full snapshot. */
export type Open = (after: number | undefined, listener: StreamListener) => StreamSource;

type Relayed = { kind: 'message'; message: SseMessage } | { kind: 'end' };

interface Options {
  open: Open;
  locks: Pick<LockManager, 'request'>;
  newChannel: () => BroadcastChannel;
}

/** The tab that holds it has the connection. */
const LOCK = ownName('groundcontrol.stream');
/** The daemon sends something at least every 15 s. A leader that relays nothing for twice that long is frozen and gets replaced. */
const FROZEN_MS = 32_000;

/**
 * One stream for all tabs of a browser, which allows six connections per host and would spend one on each tab. The tab that holds the lock
 * reads the stream and relays it; when it closes, the next tab takes over where it left off.
 */
export function shareStream({ open, locks, newChannel }: Options): Open {
  return (after, listener) => {
    const leaving = new AbortController();
    const channel = newChannel();
    let source: StreamSource | undefined;
    let lastSeq = after;
    let isLeading = false;
    let isOver = false;
    let frozen: ReturnType<typeof setTimeout> | undefined;

    function hear(message: SseMessage) {
      if (message.lastEventId) lastSeq = Number(message.lastEventId);
      listener.onMessage(message);
    }

    function end() {
      if (isOver) return;
      close();
      listener.onEnd();
    }

    function close() {
      isOver = true;
      clearTimeout(frozen);
      leaving.abort();
      source?.close();
      channel.close();
    }

    const relay = (relayed: Relayed) => channel.postMessage(relayed);

    /** Reads the stream for all tabs. Resolves, releasing the lock, when it ends. */
    function lead(): Promise<void> {
      if (isOver) return Promise.resolve();
      isLeading = true;
      clearTimeout(frozen);
      source?.close();
      return new Promise((resolve) => {
        leaving.signal.addEventListener('abort', () => resolve());
        source = open(lastSeq, {
          onMessage(message) {
            relay({ kind: 'message', message });
            hear(message);
          },
          onEnd() {
            if (!isOver) relay({ kind: 'end' });
            end();
          },
        });
      });
    }

    /** Loads everything once, then follows what the leader relays. */
    function follow() {
      const waiting: SseMessage[] = [];
      let head: number | undefined;
      expectLeader();
      channel.onmessage = ({ data }: MessageEvent<Relayed>) => {
        if (isLeading || isOver) return;
        expectLeader();
        if (data.kind === 'end') return end();
        const { message } = data;
        if (isPicture(message)) {
          head = Number(message.lastEventId);
          source?.close();
          return hear(message);
        }
        if (head === undefined) waiting.push(message);
        else if (isAfter(message, head)) hear(message);
      };
      const picture = open(undefined, {
        onMessage(message) {
          if (isLeading || head !== undefined || !isPicture(message)) return;
          head = Number(message.lastEventId);
          picture.close();
          hear(message);
          for (const late of waiting.splice(0)) if (isAfter(late, head)) hear(late);
        },
        onEnd: () => !isLeading && head === undefined && end(),
      });
      source = picture;
    }

    function expectLeader() {
      clearTimeout(frozen);
      frozen = setTimeout(() => void take({ steal: true }), FROZEN_MS);
    }

    async function take(options: LockOptions) {
      try {
        await locks.request(LOCK, options, lead);
      } catch (error) {
        if (!(error instanceof DOMException)) throw error;
        // We stopped waiting for it, or another tab took it because we looked frozen.
        if (!leaving.signal.aborted) end();
      }
    }

    void locks
      .request(LOCK, { ifAvailable: true }, (lock) => {
        if (lock) return lead();
        if (isOver) return undefined;
        follow();
        void take({ signal: leaving.signal });
        return undefined;
      })
      .catch((error: unknown) => {
        if (!(error instanceof DOMException)) throw error;
        if (!leaving.signal.aborted) end();
      });
    return { close };
  };
}

/** A full snapshot at the position it carries. */
function isPicture({ type, data, lastEventId }: SseMessage): boolean {
  return type === 'summary' && lastEventId !== '' && data.includes('"reset":true');
}

/** Messages without a position aren't journaled. */
function isAfter({ lastEventId }: SseMessage, head: number): boolean {
  return lastEventId === '' || Number(lastEventId) > head;
}
