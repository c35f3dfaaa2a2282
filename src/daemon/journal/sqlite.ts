import { closeSync, openSync } from 'node:fs';
import Database from 'libsql';

/** The only file that knows which SQLite binding we use. */
export interface Statement {
  run(...params: unknown[]): unknown;
  get(...params: unknown[]): unknown;
  all(...params: unknown[]): unknown[];
  iterate(...params: unknown[]): Iterable<unknown>;
}

export interface Sqlite {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
}

/**
 * FULL: a commit that was acknowledged survives a power cut, not only a killed process. Made for its owner alone, since it
 * holds prompts and file contents; what SQLite keeps beside it gets the same mode.
 */
export function openSqlite(path: string, { shrinks = false } = {}): Sqlite {
  closeSync(openSync(path, 'a', 0o600));
  const db = new Database(path);
  // only a file without tables takes this: pages that become free can be given back to the system
  if (shrinks) db.exec('PRAGMA auto_vacuum = INCREMENTAL');
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 2000');
  return db;
}

/** Gone when it is closed. */
export function openInMemory(): Sqlite {
  return new Database(':memory:');
}

/** All of it or nothing. */
export function inTransaction(db: Sqlite, work: () => void): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    work();
    db.exec('COMMIT');
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

/** Likewise; other work of this thread may come between, and must not use the same connection. */
export async function inLongTransaction(db: Sqlite, work: () => Promise<void>): Promise<void> {
  db.exec('BEGIN IMMEDIATE');
  try {
    await work();
    db.exec('COMMIT');
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

/** A full disk has ended the transaction already, and saying so must not hide why. */
function rollBack(db: Sqlite): void {
  try {
    db.exec('ROLLBACK');
  } catch (error) {
    if (!/no transaction is active/.test((error as Error).message)) throw error;
  }
}

const STORAGE = /SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|BUSY|LOCKED|NOMEM|PERM)/;

/** The disk or the file is the trouble, not what was to be written. */
export function isStorageFailure(error: unknown): boolean {
  return STORAGE.test(String((error as { code?: unknown } | null)?.code));
}

/** A lock that the kernel lets go of when its holder dies, `kill -9` included. Undefined: someone else holds it. */
export function tryLock(path: string): { release(): void } | undefined {
  const db = new Database(path, { timeout: 0 });
  try {
    db.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return {
    release() {
      db.exec('ROLLBACK');
      db.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    /SQLITE_BUSY|database is locked/.test(`${(error as { code?: string }).code} ${error.message}`)
  );
}
