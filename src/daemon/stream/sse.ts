import type { ServerResponse } from 'node:http';
import type { LiveSession } from '../../contract/sessions.ts';
import { type Replayable, sseMessage } from './frames.ts';
import type { Batch, Client, Hub } from './hub.ts';
import { LatestOfEach } from './latest.ts';
import { summaryOf } from './summary.ts';

const HEARTBEAT_MS = 15_000;
/** A browser would wait three seconds before it comes back. */
const RETRY_MS = 250;

type Spent = Parameters<typeof summaryOf>[1];

export interface SseOptions {
  hub: Hub;
  response: ServerResponse;
  /** The position the client has seen up to, from Last-Event-ID. */
  lastSeen: number | undefined;
  head: () => number;
  sessions: () => LiveSession[];
  /** What was used since midnight. */
  today: () => Spent;
  /** Whether everything there is comes in one message, or in one for each session. */
  picture: 'whole' | 'pieces';
}

/** Serves one SSE client until it goes away. */
export function serveSse({ hub, response, lastSeen, head, sessions, today, picture }: SseOptions): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.socket?.setNoDelay(true);
  response.write(`retry: ${RETRY_MS}\n\n`);
  const client = new SseClient(response);
  const leave = hub.add(client);
  const missed = lastSeen === undefined ? undefined : hub.changesAfter(lastSeen, head());
  if (missed) client.write(sseMessage({ event: 'heartbeat', data: {} }), missed);
  else client.write((picture === 'whole' ? wholePicture : picturePieces)(sessions(), today(), head()));
  const heartbeat = setInterval(() => client.beat(), HEARTBEAT_MS);
  response.on('close', () => {
    clearInterval(heartbeat);
    leave();
  });
}

class SseClient implements Client {
  readonly #response: ServerResponse;
  readonly #behind = new LatestOfEach();
  #isBehind = false;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.on('drain', () => this.#catchUp());
  }

  write(text: string, missed: Replayable[] = []): void {
    this.#response.write(text);
    if (missed.length > 0) this.#response.write(Buffer.concat(missed.map((kept) => kept.sse())));
    this.#isBehind = this.#response.writableNeedDrain;
  }

  send(batch: Batch): void {
    if (this.#isBehind) this.#behind.add(batch.frames);
    else this.#isBehind = !this.#response.write(batch.sse());
  }

  beat(): void {
    if (!this.#isBehind) this.#response.write(sseMessage({ event: 'heartbeat', data: {} }));
  }

  #catchUp(): void {
    this.#isBehind = false;
    if (this.#behind.size === 0) return;
    const frames = this.#behind.take();
    this.#isBehind = !this.#response.write(Buffer.concat(frames.map((frame) => frame.sse())));
  }
}

/** A browser takes in one long message sooner than a thousand short ones, and has all of it or nothing. */
function wholePicture(sessions: LiveSession[], today: Spent, head: number): string {
  return sseMessage({ event: 'summary', data: { ...summaryOf(sessions, today), reset: true, sessions }, id: head });
}

/** Only the last message carries the position: a client cut off in between starts over. */
function picturePieces(sessions: LiveSession[], today: Spent, head: number): string {
  const summary = sseMessage({
    event: 'summary',
    data: { ...summaryOf(sessions, today), reset: true },
    ...(sessions.length === 0 ? { id: head } : {}),
  });
  const last = sessions.length - 1;
  const found = sessions.map((session, index) =>
    sseMessage({ event: 'session_discovered', data: session, ...(index === last ? { id: head } : {}) }),
  );
  return summary + found.join('');
}
