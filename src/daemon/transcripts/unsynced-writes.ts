import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Sqlite } from '../journal/sqlite.ts';

/** By then the kernel has written by itself whatever it was given: asking for it costs nothing. */
const SETTLE_MS = 60_000;

const SYNCED = 'PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216';
const UNSYNCED = 'PRAGMA synchronous = OFF; PRAGMA journal_size_limit = -1';

/**
 * Writes a great deal to history.db without ever waiting for the disk: whoever waits makes the hooks wait too, whose events go
 * to the same disk. A killed process loses nothing by it; a machine that goes down may leave a file in pieces, so a mark beside
 * it says in which run of the machine it was written, and one from another run is thrown away. The transcripts have it all.
 */
export class UnsyncedWrites {
  readonly #path: string;
  readonly #boot: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(historyPath: string, boot = currentBoot()) {
    this.#path = historyPath;
    this.#boot = boot;
  }

  /** The machine went down before all of it was on the disk. */
  wereLost(): boolean {
    const marked = readIfThere(this.#mark);
    return marked !== undefined && marked !== this.#boot;
  }

  /** Not within a transaction. Where a run of the machine cannot be told from another, the disk is waited for as ever. */
  begin(db: Sqlite): void {
    clearTimeout(this.#timer);
    if (this.#boot === undefined) return;
    if (readIfThere(this.#mark) !== this.#boot) this.#write(this.#boot);
    db.exec(UNSYNCED);
  }

  /** The great deal is over. */
  end(db: Sqlite, after = SETTLE_MS): void {
    clearTimeout(this.#timer);
    if (readIfThere(this.#mark) === undefined) return;
    this.#timer = setTimeout(() => this.#settle(db), after).unref();
  }

  /** Before the database is closed. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #settle(db: Sqlite): void {
    db.exec(SYNCED);
    for (const file of [`${this.#path}-wal`, this.#path]) sync(file);
    rmSync(this.#mark, { force: true });
  }

  get #mark(): string {
    return `${this.#path}-unsynced`;
  }

  #write(boot: string): void {
    const fd = openSync(this.#mark, 'w', 0o600);
    writeSync(fd, boot);
    fsyncSync(fd);
    closeSync(fd);
    sync(dirname(this.#mark));
  }
}

function currentBoot(): string | undefined {
  return readIfThere('/proc/sys/kernel/random/boot_id')?.trim();
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function sync(path: string): void {
  try {
    const fd = openSync(path, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
