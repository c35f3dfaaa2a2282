import type { ServerResponse } from 'node:http';
import type { LiveSession } from '../../contract/sessions.ts';
import { type Frame, type Replayable, sseMessage } from './frames.ts';
import type { Batch, Hub, StreamClient } from './hub.ts';
import { LatestOfEach } from './latest.ts';
import { markMasked, maskSse } from './mask-sse.ts';
import { maskedView } from './masked-views.ts';
import { summaryOf } from './summary.ts';

const HEARTBEAT_MS = 15_000;
/** By default, a browser waits three seconds before reconnecting. */
const RETRY_MS = 250;

/** More changes than this take longer to mask than everything does, which is masked already. */
const MAX_MASKED = 100;

type Spent = Parameters<typeof summaryOf>[1];

export interface SseOptions {
  hub: Hub;
  response: ServerResponse;
  /** The last position the client has seen, from Last-Event-ID. */
  lastSeen: number | undefined;
  head: () => number;
  sessions: () => LiveSession[];
  /** The same as one JSON array. */
  sessionsJson: () => Buffer;
  /** Usage since midnight. */
  today: () => Spent;
  isViewer: boolean;
  /** What a client that is limited to projects gets. Undefined: everything. */
  limit?: StreamLimit | undefined;
  /** Whether everything comes in one message, or in one per session. */
  picture: 'whole' | 'pieces';
}

export interface StreamLimit {
  sees: (frame: Pick<Frame, 'kind' | 'data'>) => boolean;
  sessions: () => LiveSession[];
}

/** Serves one SSE client until it disconnects. */
export function serveSse(options: SseOptions): void {
  const { hub, response, lastSeen, head, isViewer, limit } = options;
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.socket?.setNoDelay(true);
  response.write(`retry: ${RETRY_MS}\n\n`);
  const client = new SseClient(response, { isViewer, limit });
  const leave = hub.add(client);
  // what is kept for a replay is only bytes, which don't say whose they are
  const missed = lastSeen === undefined || limit ? undefined : hub.changesAfter(lastSeen, head());
  if (missed && !(isViewer && missed.length > MAX_MASKED))
    client.write(Buffer.from(sseMessage({ event: 'heartbeat', data: {} })), missed);
  else client.write(isViewer ? markMasked(pictureFor(maskedOptions(options))) : pictureFor(options));
  const heartbeat = setInterval(() => client.beat(), HEARTBEAT_MS);
  response.on('close', () => {
    clearInterval(heartbeat);
    leave();
  });
}

class SseClient implements StreamClient {
  readonly isViewer: boolean;
  readonly #response: ServerResponse;
  readonly #behind = new LatestOfEach();
  readonly #limit: StreamLimit | undefined;
  #isBehind = false;

  constructor(response: ServerResponse, { isViewer, limit }: Pick<SseOptions, 'isViewer' | 'limit'>) {
    this.#response = response;
    this.isViewer = isViewer;
    this.#limit = limit;
    response.on('drain', () => this.#catchUp());
  }

  write(first: Buffer, missed: Replayable[] = []): void {
    this.#put(first);
    if (missed.length > 0) this.#put(Buffer.concat(missed.map((kept) => kept.sse())));
    this.#isBehind = this.#response.writableNeedDrain;
  }

  send(batch: Batch): void {
    // masking looks at whole texts: a secret split between two deltas would get through
    if (this.isViewer && batch.frames.every(({ kind }) => kind === 'message_delta')) return;
    const limit = this.#limit;
    const frames = limit ? batch.frames.filter((frame) => limit.sees(frame)) : batch.frames;
    if (frames.length === 0) return;
    if (this.#isBehind) this.#behind.add(frames);
    else this.#isBehind = !this.#put(limit ? Buffer.concat(frames.map((frame) => frame.sse())) : batch.sse());
  }

  /** False: the client reads more slowly than we send. */
  #put(chunk: Buffer): boolean {
    return this.#response.write(this.isViewer ? maskSse(chunk) : chunk);
  }

  beat(): void {
    if (!this.#isBehind) this.#response.write(sseMessage({ event: 'heartbeat', data: {} }));
  }

  #catchUp(): void {
    this.#isBehind = false;
    if (this.#behind.size === 0) return;
    const frames = this.#behind.take();
    this.#isBehind = !this.#put(Buffer.concat(frames.map((frame) => frame.sse())));
  }
}

/** The views that `prepareMaskedViews` has masked. */
function maskedOptions(options: SseOptions): SseOptions {
  const { limit } = options;
  const sessions = () => options.sessions().map(maskedView);
  return {
    ...options,
    sessions,
    sessionsJson: () => Buffer.from(JSON.stringify(sessions())),
    ...(limit && { limit: { ...limit, sessions: () => limit.sessions().map(maskedView) } }),
  };
}

const UNKNOWN_SPENT: Spent = { costUsd: null, tokens: null };

function pictureFor(options: SseOptions): Buffer {
  const { limit } = options;
  if (!limit) return options.picture === 'whole' ? wholePicture(options) : picturePieces(options);
  const { sessions } = limit;
  const sessionsJson = () => Buffer.from(JSON.stringify(sessions()));
  const own = { ...options, sessions, sessionsJson, today: () => UNKNOWN_SPENT };
  return options.picture === 'whole' ? wholePicture(own) : picturePieces(own);
}

/** A browser processes one long message faster than a thousand short ones, and gets all or nothing. */
function wholePicture({ sessions, sessionsJson, today, head }: SseOptions): Buffer {
  const summary = JSON.stringify({ ...summaryOf(sessions(), today()), reset: true });
  return Buffer.concat([
    Buffer.from(`id: ${head()}\nevent: summary\ndata: ${summary.slice(0, -1)},"sessions":`),
    sessionsJson(),
    Buffer.from('}\n\n'),
  ]);
}

/** Only the last message carries the position: a client cut off in between starts over. */
function picturePieces({ sessions, today, head }: SseOptions): Buffer {
  const views = sessions();
  const summary = sseMessage({
    event: 'summary',
    data: { ...summaryOf(views, today()), reset: true },
    ...(views.length === 0 ? { id: head() } : {}),
  });
  const last = views.length - 1;
  const found = views.map((session, index) =>
    sseMessage({ event: 'session_discovered', data: session, ...(index === last ? { id: head() } : {}) }),
  );
  return Buffer.from(summary + found.join(''));
}
