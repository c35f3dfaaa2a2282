import { closeSync, fdatasync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { RunnerEvent, type RunnerNews } from '../contract/runners.ts';

/** Past this, a file whose events the daemon all has is emptied. */
const COMPACT_BYTES = 256 * 1024;
const SYNC_MS = 100;

/**
 * What happened and the daemon may not have yet: one JSON object per line, numbered without gaps. An event is in the file before anybody
 * is told of it, so that it outlives this process, and soon after on the disk, so that it outlives the machine's power.
 */
export class Spool {
  #file: number | null = null;
  readonly #now: () => number;
  #unacked: RunnerEvent[] = [];
  #seq = 0;
  #bytes = 0;
  #sync: NodeJS.Timeout | undefined;

  /** Without a path it is in memory only, until `saveTo`. */
  constructor(path: string | null, { now = Date.now }: { now?: () => number } = {}) {
    if (path !== null) this.#file = openSync(path, 'a', 0o600);
    this.#now = now;
  }

  /** From now on in this file, with everything that no daemon has yet. */
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
    // in one write: a reader after our death finds whole lines and at most one broken one at the end
    writeSync(this.#file, line);
    this.#bytes += Buffer.byteLength(line);
    this.#sync ??= setTimeout(() => this.#flush(), SYNC_MS);
  }

  /** The oldest ones that the daemon may not have. */
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

/** What a runner that is gone left behind, after the events that the daemon has. A line that was cut off by its death is none. */
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
