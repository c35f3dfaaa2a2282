import { closeSync, fdatasync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { RunnerEvent, type RunnerNews } from '../contract/runners.ts';

/** Past this size, a file is emptied once the daemon has all its events. */
const COMPACT_BYTES = 256 * 1024;
const SYNC_MS = 100;

/**
 * Events that the daemon may not have yet: one JSON object per line, numbered without gaps. An event is in the file before anything reports
 * it, so it survives this process. It is synced soon after, so it survives a power cut.
 */
export class Spool {
  #file: number | null = null;
  readonly #now: () => number;
  #unacked: RunnerEvent[] = [];
  #seq = 0;
  #bytes = 0;
  #sync: NodeJS.Timeout | undefined;

  /** Without a path it stays in memory until `saveTo`. */
  constructor(path: string | null, { now = Date.now }: { now?: () => number } = {}) {
    if (path !== null) this.#file = openSync(path, 'a', 0o600);
    this.#now = now;
  }

  /** Switches to this file, and writes everything the daemon doesn't have yet. */
  saveTo(path: string): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = openSync(path, 'a', 0o600);
    this.#bytes = 0;
    for (const event of this.#unacked) this.#write(event);
  }

  append(news: RunnerNews): RunnerEvent {
    const event = { ...news, seq: ++this.#seq, at: this.#now() } as RunnerEvent;
    this.#write(event);
    this.#unacked.push(event);
    return event;
  }

  #write(event: RunnerEvent): void {
    if (this.#file === null) return;
    const line = `${JSON.stringify(event)}\n`;
    // a single write, so that after a crash readers find whole lines and at most one partial line at the end
    writeSync(this.#file, line);
    this.#bytes += Buffer.byteLength(line);
    this.#sync ??= setTimeout(() => this.#flush(), SYNC_MS);
  }

  /** The oldest events that the daemon may not have. */
  next(limit: number): RunnerEvent[] {
    return this.#unacked.slice(0, limit);
  }

  get isEmpty(): boolean {
    return this.#unacked.length === 0;
  }

  ack(seq: number): void {
    const rest = this.#unacked.findIndex((event) => event.seq > seq);
    this.#unacked = rest < 0 ? [] : this.#unacked.slice(rest);
    if (this.#file === null || this.#unacked.length > 0 || this.#bytes < COMPACT_BYTES) return;
    ftruncateSync(this.#file, 0);
    this.#bytes = 0;
  }

  close(): void {
    clearTimeout(this.#sync);
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #flush(): void {
    this.#sync = undefined;
    if (this.#file !== null && this.#unacked.length > 0) fdatasync(this.#file, () => undefined);
  }
}

/** Events of a dead runner that the daemon doesn't have yet. Skips a partial last line. */
export function readSpool(path: string, { after }: { after: number }): RunnerEvent[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => RunnerEvent.parse(JSON.parse(line))).filter(({ seq }) => seq > after);
}
