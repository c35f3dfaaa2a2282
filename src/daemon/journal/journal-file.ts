import { existsSync, renameSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { DomainError } from '../errors.ts';
import type { Sqlite } from './sqlite.ts';

const FILE = 'journal.db';
/** Left beside the journal once it exists: without it, a missing journal means a first start. */
const MARK = 'journal.made';
const BESIDE = ['', '-wal', '-shm'];
/** Small tables that decide what agents may do. Read completely at every start. */
const VITAL_TABLES = ['rules', 'policies', 'devices'];

interface Folder {
  file(name: string): string;
}

/** Throws if the journal that was here is gone: starting with an empty one would silently drop every rule. */
export function requireJournal(folder: Folder): void {
  const path = folder.file(FILE);
  if (!existsSync(folder.file(MARK))) return;
  if (!existsSync(path)) throw new JournalLost(path, 'is missing');
  if (statSync(path).size === 0) throw new JournalLost(path, 'is empty');
}

export function markJournal(folder: Folder): void {
  const path = folder.file(MARK);
  if (!existsSync(path))
    writeFileSync(path, 'A journal was created in this folder. See gctl doctor.\n', { mode: 0o600 });
}

/** Throws if the tables that govern agents can't be read. The events may be gigabytes and aren't read here. */
export function checkTables(db: Sqlite, path: string): void {
  for (const table of VITAL_TABLES) {
    const rows = db.prepare(`PRAGMA quick_check('${table}')`).all() as { quick_check: string }[];
    const fault = rows.find(({ quick_check: result }) => result !== 'ok');
    if (fault) throw new JournalCorrupt(path, `${table}: ${fault.quick_check}`);
  }
}

/** Moves the journal aside and returns the new path. undefined: there is none. */
export function setJournalAside(folder: Folder, now: number): string | undefined {
  const path = folder.file(FILE);
  const aside = `${path}.broken-${new Date(now).toISOString().replace(/[:.]/g, '-')}`;
  const found = BESIDE.filter((suffix) => existsSync(path + suffix));
  for (const suffix of found) renameSync(path + suffix, aside + suffix);
  return found.length > 0 ? aside : undefined;
}

const WAY_BACK =
  'To continue, restore it from a backup, or run `gctl up --new-journal`: it keeps the broken file under another name, starts an ' +
  'empty journal and restores your rules and policies from rules-backup.json. Browsers have to sign in again.';

class JournalLost extends DomainError {
  constructor(path: string, how: string) {
    super(
      'journal.lost',
      500,
      `The journal ${path} ${how}, so your rules and the audit record are missing. ${WAY_BACK}`,
    );
  }
}

class JournalCorrupt extends DomainError {
  constructor(path: string, detail: string) {
    super('journal.corrupt', 500, `The journal ${path} is damaged (${detail}). ${WAY_BACK}`);
  }
}

/** Turns a damaged file's error into one that says what to do; others are returned as is. */
export function explainCorruption(error: unknown, folder: Folder): unknown {
  if (error instanceof DomainError || !(error instanceof Error)) return error;
  const text = `${(error as { code?: unknown }).code} ${error.message}`;
  const isDamaged = /SQLITE_(CORRUPT|NOTADB)|malformed|not a database/.test(text);
  // SQLite uses this code for both a short file and a full disk.
  const isShort = /SQLITE_IOERR|disk I\/O error/.test(text) && !isFull(folder);
  return isDamaged || isShort ? new JournalCorrupt(folder.file(FILE), error.message) : error;
}

function isFull(folder: Folder): boolean {
  const { bavail, bsize } = statfsSync(folder.file('.'));
  return bavail * bsize < 2 ** 20;
}
