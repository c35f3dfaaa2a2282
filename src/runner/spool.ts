import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import type { RunnerEvent, RunnerNews } from '../contract/runners.ts';

/** Past this size, a file is emptied once the daemon has all its events. */
const COMPACT_BYTES = 256 * 1024;
const SYNC_MS = 100;
/** A full disk may have room again. */
const RETRY_MS = 1000;

export interface SpoolOptions {
  now?: () => number;
  /** The file can't be written, or can be again (null). Events are kept in memory meanwhile. */
  onFailure?: (error: Error | null) => void;
  retryMs?: number;
}

/**
 * Events that the daemon may not have yet: one JSON object per line, numbered without gaps. An event is in the file before anything reports
 * it, so it survives this process. It is synced soon after, so it survives a power cut. If the disk is full, events wait in memory and go
 * to the daemon from there.
 */
export class Spool {
  #file: number | null = null;
  readonly #options: SpoolOptions;
  #unacked: RunnerEvent[] = [];
  /** Not in the file yet: the last of `#unacked`. */
  #unwritten: RunnerEvent[] = [];
  #isFailing = false;
  #seq = 0;
  #bytes = 0;
  #sync: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;

  /** Without a path it stays in memory until `saveTo`. */
  constructor(path: string | null, options: SpoolOptions = {}) {
    this.#options = options;
    if (path !== null) this.#open(path);
  }

  /** Switches to this file, and writes everything the daemon doesn't have yet. */
  saveTo(path: string): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#open(path);
    this.#unwritten = [...this.#unacked];
    this.#write();
  }

  append(news: RunnerNews): RunnerEvent {
    const event = { ...news, seq: ++this.#seq, at: (this.#options.now ?? Date.now)() } as RunnerEvent;
    this.#unacked.push(event);
    this.#unwritten.push(event);
    this.#write();
    return event;
  }

  #open(path: string): void {
    this.#file = openSync(path, 'a', 0o600);
    this.#bytes = fstatSync(this.#file).size;
  }

  #write(): void {
    if (this.#file === null) return;
    try {
      while (this.#unwritten.length > 0) {
        this.#bytes += writeWhole(this.#file, `${JSON.stringify(this.#unwritten[0])}\n`);
        this.#unwritten.shift();
      }
    } catch (error) {
      this.#fail(this.#file, error as Error);
      return;
    }
    if (this.#isFailing) this.#options.onFailure?.(null);
    this.#isFailing = false;
    this.#sync ??= setTimeout(() => this.#flush(), SYNC_MS);
  }

  #fail(file: number, error: Error): void {
    // half a line would fuse with the next one
    ftruncateSync(file, this.#bytes);
    if (!this.#isFailing) this.#options.onFailure?.(error);
    this.#isFailing = true;
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.#write();
    }, this.#options.retryMs ?? RETRY_MS).unref();
  }

  /** The oldest events that the daemon may not have. */
  next(limit: number): RunnerEvent[] {
    return this.#unacked.slice(0, limit);
  }

  get isEmpty(): boolean {
    return this.#unacked.length === 0;
  }

  ack(seq: number): void {
    const isLater = (event: RunnerEvent) => event.seq > seq;
    this.#unacked = this.#unacked.filter(isLater);
    this.#unwritten = this.#unwritten.filter(isLater);
    if (this.#file === null || this.#unacked.length > 0 || this.#bytes < COMPACT_BYTES) return;
    ftruncateSync(this.#file, 0);
    this.#bytes = 0;
  }

  close(): void {
    clearTimeout(this.#sync);
    clearTimeout(this.#retry);
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #flush(): void {
    this.#sync = undefined;
    if (this.#file !== null && this.#unacked.length > 0) fdatasync(this.#file, () => undefined);
  }
}

/** In a single write where possible, so that after a crash readers find whole lines. A nearly full disk takes only a part. */
function writeWhole(file: number, text: string): number {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  return bytes.length;
}
