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
 * FULL: an acknowledged commit survives a power cut, not only a killed process. Readable by its owner only, since it contains prompts and
 * file contents; SQLite's side files get the same mode.
 */
export function openSqlite(path: string, { shrinks = false } = {}): Sqlite {
  closeSync(openSync(path, 'a', 0o600));
  const db = new Database(path);
  // Only works on a file without tables: lets free pages be returned to the system.
  if (shrinks) db.exec('PRAGMA auto_vacuum = INCREMENTAL');
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 2000');
  return db;
}

/** Deleted when closed. */
export function openInMemory(): Sqlite {
  return new Database(':memory:');
}

/** All or nothing. */
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

/** The same, but other work of this thread may run in between and must not use the same connection. */
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

/** A full disk already ended the transaction; reporting that must not hide the cause. */
function rollBack(db: Sqlite): void {
  try {
    db.exec('ROLLBACK');
  } catch (error) {
    if (!/no transaction is active/.test((error as Error).message)) throw error;
  }
}

const STORAGE = /SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|BUSY|LOCKED|NOMEM|PERM)/;

/** The disk or the file is the problem, not the data. */
export function isStorageFailure(error: unknown): boolean {
  return STORAGE.test(String((error as { code?: unknown } | null)?.code));
}

/** A lock the kernel releases when its holder dies, even with `kill -9`. undefined: someone else holds it. */
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
