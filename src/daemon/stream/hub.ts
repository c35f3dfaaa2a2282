import type { StreamEvent } from '../../contract/stream.ts';
import type { JournalEvent } from '../journal/journal.ts';
import { type Change, type Frame, type Replayable, sseMessage, toFrame } from './frames.ts';

const FRAME_MS = 16;
/** So many writes in a frame cost nothing worth saving; beyond them, the rest of the frame goes out together. */
const FREE_WRITES = 64;

export interface Client {
  /** Every change, in order, in batches. The batch is shared: do not change it. */
  send(batch: Batch): void;
}

export interface Batch {
  frames: Frame[];
  /** The events behind the frames. */
  events: JournalEvent[];
  /** The frames as one SSE chunk, put together once for all clients. */
  sse(): Buffer;
}

/**
 * Sends changes to everyone who watches: at once while it is quiet, under load in one batch per 16 ms, since a write
 * per event and client is what costs.
 */
export class Hub {
  readonly #clients = new Set<Client>();
  readonly #recent: Replayable[] = [];
  readonly #keep: number;
  #pending: Frame[] = [];
  #events: JournalEvent[] = [];
  #frameStart = 0;
  #writes = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `keep`: how many of the newest changes a client that reconnects can still be given. */
  constructor({ keep }: { keep: number }) {
    this.#keep = keep;
  }

  get clientCount(): number {
    return this.#clients.size;
  }

  publish(changes: Change[]): void {
    for (const change of changes) {
      const { frame, kept } = toFrame(change);
      this.#recent.push(kept);
      if (this.#clients.size === 0) continue;
      this.#pending.push(frame);
      this.#events.push(change.event);
    }
    if (this.#recent.length > this.#keep * 2) this.#recent.splice(0, this.#recent.length - this.#keep);
    if (this.#pending.length > 0) this.#schedule();
  }

  #schedule(): void {
    if (this.#timer) return;
    const now = performance.now();
    if (now - this.#frameStart >= FRAME_MS) {
      this.#frameStart = now;
      this.#writes = 0;
    }
    if (this.#writes < FREE_WRITES) this.flush();
    else this.#timer = setTimeout(() => this.flush(), this.#frameStart + FRAME_MS - now);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending.length === 0) return;
    const batch = toBatch(this.#pending, this.#events);
    this.#pending = [];
    this.#events = [];
    for (const client of this.#clients) client.send(batch);
    this.#writes += this.#clients.size;
  }

  /** Tells those who watch now of something that no event stands for: it has no position, and is not kept. */
  announce(kind: StreamEvent, data: unknown): void {
    if (this.#clients.size === 0) return;
    this.flush();
    const sse = () => Buffer.from(sseMessage({ event: kind, data }));
    const batch = toBatch([{ seq: 0, kind, key: kind, data, sse }], []);
    for (const client of this.#clients) client.send(batch);
  }

  /** The client gets every change from now on. Call `changesAfter` in the same turn and nothing falls between. */
  add(client: Client): () => void {
    this.flush();
    this.#clients.add(client);
    return () => this.#clients.delete(client);
  }

  /** All changes after `seq`, or undefined when we no longer have all of them. */
  changesAfter(seq: number, head: number): Replayable[] | undefined {
    if (seq > head) return undefined;
    if (seq === head) return [];
    const first = this.#recent[0];
    if (!first || first.seq > seq + 1) return undefined;
    return this.#recent.filter((kept) => kept.seq > seq);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#clients.clear();
  }
}

function toBatch(frames: Frame[], events: JournalEvent[]): Batch {
  let bytes: Buffer | undefined;
  return {
    frames,
    events,
    sse() {
      bytes ??= frames.length === 1 ? frames[0]!.sse() : Buffer.concat(frames.map((frame) => frame.sse()));
      return bytes;
    },
  };
}
