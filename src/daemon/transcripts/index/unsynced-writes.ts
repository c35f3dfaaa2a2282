import { closeSync, fsyncSync, openSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Sqlite } from '../../journal/sqlite.ts';
import { isOutOfReach } from './find-transcripts.ts';
import { SYNCED, UNSYNCED } from './schema.ts';

/** By then the kernel has written everything on its own, so syncing costs nothing. */
const SETTLE_MS = 60_000;

export interface UnsyncedOptions {
  historyPath: string;
  /** No transaction is open, or starts in this tick. */
  isIdle: () => boolean;
  /** Which boot of the machine this is. */
  boot?: string | undefined;
  settleMs?: number;
  now?: () => number;
}

/**
 * Writes a lot to history.db without waiting for the disk: waiting would delay hooks, whose events go to the same disk. A killed process
 * loses nothing. A machine that goes down may leave a corrupt file, so a marker says in which boot it was written, and a file from another
 * boot is discarded. The transcripts have everything.
 */
export class UnsyncedWrites {
  readonly #path: string;
  readonly #isIdle: () => boolean;
  readonly #boot: string | undefined;
  readonly #settleMs: number;
  readonly #now: () => number;
  #endedAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: UnsyncedOptions) {
    const { historyPath, isIdle, boot = currentBoot(), settleMs = SETTLE_MS, now = Date.now } = options;
    this.#path = historyPath;
    this.#isIdle = isIdle;
    this.#boot = boot;
    this.#settleMs = settleMs;
    this.#now = now;
  }

  /** The machine went down before everything was on disk. */
  wereLost(): boolean {
    const marked = readIfThere(this.#mark);
    return marked !== undefined && marked !== this.#boot;
  }

  /**
   * Not within a transaction. Nothing may be committed before it resolves: the marker is on disk then. If boots can't be told apart, it waits for
   * the disk as usual.
   */
  async begin(db: Sqlite): Promise<void> {
    this.stop();
    this.#endedAt = undefined;
    if (this.#boot === undefined) return;
    db.exec(UNSYNCED);
    if (readIfThere(this.#mark) !== this.#boot) await this.#write(this.#boot);
  }

  /** Nothing is being written now; small writes later don't postpone the end. */
  rest(db: Sqlite): void {
    this.stop();
    if (readIfThere(this.#mark) === undefined) return;
    this.#endedAt ??= this.#now();
    const left = this.#endedAt + this.#settleMs - this.#now();
    if (left <= 0) this.#settle(db);
    // a writer at that moment will be done soon
    else this.#timer = setTimeout(() => this.#isIdle() && this.rest(db), left).unref();
  }

  /** Before the database is closed. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #settle(db: Sqlite): void {
    db.exec(SYNCED);
    // truncates a log that has grown long
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    for (const file of [`${this.#path}-wal`, this.#path]) sync(file);
    rmSync(this.#mark, { force: true });
  }

  get #mark(): string {
    return `${this.#path}-unsynced`;
  }

  async #write(boot: string): Promise<void> {
    const file = await open(this.#mark, 'w', 0o600);
    try {
      await file.writeFile(boot);
      await file.sync();
    } finally {
      await file.close();
    }
    const folder = await open(dirname(this.#mark), 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}

function currentBoot(): string | undefined {
  return readIfThere('/proc/sys/kernel/random/boot_id')?.trim();
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isOutOfReach(error)) return undefined;
    throw error;
  }
}

function sync(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
