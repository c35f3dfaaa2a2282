import type { StreamEvent } from '../../contract/stream.ts';
import type { JournalEvent } from '../journal/journal.ts';
import { type Change, type Frame, type Replayable, sseMessage, toFrame } from './frames.ts';

const FRAME_MS = 16;
/** Writes per frame that aren't worth saving; beyond them, the rest of the frame goes out as one batch. */
const FREE_WRITES = 64;
/** How long writing to clients may delay hooks before it yields. */
const SLICE_MS = 4;

export interface StreamClient {
  /** Every change, in order, in batches. The batch is shared: don't modify it. */
  send(batch: Batch): void;
  /** View only. */
  readonly isViewer?: boolean;
}

export interface Batch {
  frames: Frame[];
  /** The events behind the frames. */
  events: JournalEvent[];
  /** The frames as one SSE chunk, built once for all clients. */
  sse(): Buffer;
}

/** A batch on its way to the clients connected when it was made. */
interface Delivery {
  batch: Batch;
  to: StreamClient[];
  /** How many of them have it. */
  done: number;
}

/**
 * Sends changes to every client: immediately while it is quiet, in one batch per 16 ms under load, because a write per event and client is
 * what costs. With hundreds of clients a batch takes longer than a frame, so writing is sliced and hooks are answered in between: agents
 * wait for those, and people don't notice a few milliseconds.
 */
export class Hub {
  readonly #clients = new Set<StreamClient>();
  readonly #recent: Replayable[] = [];
  readonly #keep: number;
  #pending: Frame[] = [];
  #events: JournalEvent[] = [];
  #deliveries: Delivery[] = [];
  #frameStart = 0;
  #writes = 0;
  #timer: NodeJS.Timeout | undefined;
  #nextSlice: NodeJS.Immediate | undefined;

  /** `keep`: how many of the newest changes a reconnecting client can still get. */
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
    // while slices are in progress, new changes collect in the next batch
    if (this.#timer || this.#nextSlice) return;
    const now = performance.now();
    if (now - this.#frameStart >= FRAME_MS) {
      this.#frameStart = now;
      this.#writes = 0;
    }
    if (this.#writes < FREE_WRITES) this.#flush();
    else this.#timer = setTimeout(() => this.#flush(), this.#frameStart + FRAME_MS - now);
  }

  #flush(): void {
    this.#seal();
    this.#deliver();
  }

  /** Turns pending changes into a batch for the current clients. */
  #seal(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending.length === 0) return;
    this.#deliveries.push({ batch: toBatch(this.#pending, this.#events), to: [...this.#clients], done: 0 });
    this.#pending = [];
    this.#events = [];
  }

  #deliver(): void {
    const until = performance.now() + SLICE_MS;
    for (let delivery = this.#deliveries[0]; delivery; delivery = this.#deliveries[0]) {
      const { batch, to } = delivery;
      while (delivery.done < to.length) {
        const client = to[delivery.done++]!;
        if (!this.#clients.has(client)) continue;
        client.send(batch);
        this.#writes++;
        if (performance.now() < until) continue;
        this.#nextSlice ??= setImmediate(() => this.#resume());
        return;
      }
      this.#deliveries.shift();
    }
  }

  #resume(): void {
    this.#nextSlice = undefined;
    this.#deliver();
    if (!this.#nextSlice && this.#pending.length > 0) this.#schedule();
  }

  /** Sends current clients something that isn't a journal event: it has no position and isn't kept. */
  announce(kind: StreamEvent, data: unknown): void {
    if (this.#clients.size === 0) return;
    this.#seal();
    const sse = () => Buffer.from(sseMessage({ event: kind, data }));
    const batch = toBatch([{ seq: 0, kind, key: kind, data, sse }], []);
    this.#deliveries.push({ batch, to: [...this.#clients], done: 0 });
    if (!this.#nextSlice) this.#deliver();
  }

  /** The client gets every change from now on. Call `changesAfter` in the same tick so nothing is missed. */
  add(client: StreamClient): () => void {
    this.#seal();
    if (!this.#nextSlice) this.#deliver();
    this.#clients.add(client);
    return () => this.#clients.delete(client);
  }

  /** All changes after `seq`, or undefined if we no longer have all of them. */
  changesAfter(seq: number, head: number): Replayable[] | undefined {
    if (seq > head) return undefined;
    if (seq === head) return [];
    const first = this.#recent[0];
    if (!first || first.seq > seq + 1) return undefined;
    return this.#recent.filter((kept) => kept.seq > seq);
  }

  close(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#nextSlice);
    this.#deliveries = [];
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
