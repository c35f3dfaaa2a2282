import { closeSync } from 'node:fs';
import { inTransaction, type Sqlite } from '../journal/sqlite.ts';
import type { FileRow, FileRows } from './file-rows.ts';
import { addSighting, type FileUsage, unpackUsage } from './file-usage.ts';
import { type FoundFile, ownerByPath } from './find-transcripts.ts';
import { Ledger } from './ledger.ts';
import type { Prices } from './prices.ts';
import { edgesOf, openTranscript } from './scan-usage.ts';
import { PARSER_VERSION } from './schema.ts';
import { sessionInside } from './session-inside.ts';
import { spendingOf } from './spending.ts';

/** A transcript to be read, and from where. 0: all of it. */
export interface UsageScan {
  path: string;
  from: number;
}

/** What the lines from there on used, packed. Undefined: it could not be read. */
export type ScannedUsage = { offset: number; edges: string; usage: string } | undefined;

export type ScanUsage = (
  scans: UsageScan[],
  onScanned: (place: number, scanned: ScannedUsage) => void,
) => Promise<void>;

/** Keeps tokens and costs up to date: reads what is new in files and counts each message once over all of them. */
export class Totals {
  readonly #db: Sqlite;
  readonly #rows: FileRows;
  readonly #projects: () => string;
  /** Made when a file changes: a start that finds nothing new needs none. */
  #ledger: Ledger | undefined;
  #prices: Prices;

  constructor(options: { db: Sqlite; rows: FileRows; projects: () => string; prices: Prices }) {
    this.#db = options.db;
    this.#rows = options.rows;
    this.#projects = options.projects;
    this.#prices = options.prices;
  }

  /** Reads what is new. In one transaction, since a message may move from one file to another. */
  async update(found: FoundFile[], scan: ScanUsage, onProgress: (bytes: number) => void): Promise<void> {
    const jobs = found.map((file) => ({ file, ...this.#plan(file) }));
    const scanned: ScannedUsage[] = [];
    await scan(
      jobs.map(({ file, from }) => ({ path: file.path, from })),
      (place, result) => {
        scanned[place] = result;
        onProgress(jobs[place]!.file.size - jobs[place]!.from);
      },
    );
    inTransaction(this.#db, () => {
      const recount = new Set<number>();
      for (const [place, { file, from }] of jobs.entries()) this.#take(file, from, scanned[place], recount);
      this.#recount(recount);
    });
    this.#rows.forgetUsage();
  }

  remove(paths: string[]): void {
    if (paths.length === 0) return;
    inTransaction(this.#db, () => {
      const recount = new Set<number>();
      for (const path of paths) {
        const row = this.#rows.byPath(path);
        if (row) this.#drop(row, recount);
      }
      this.#recount(recount);
    });
    this.#rows.forgetUsage();
  }

  /** Every cost anew, if they are of other prices. */
  reprice(prices: Prices): void {
    this.#prices = prices;
    const key = 'prices';
    const known = this.#db.prepare('SELECT value FROM meta WHERE key = ?').get(key) as { value: string } | undefined;
    if (known?.value === prices.fingerprint) return;
    inTransaction(this.#db, () => {
      this.#recount(new Set([...this.#rows.rows()].map(({ id }) => id)));
      this.#db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, prices.fingerprint);
    });
    this.#rows.forgetUsage();
  }

  #plan(file: FoundFile): { from: number } {
    const row = this.#rows.byPath(file.path);
    return { from: row && hasOnlyGrown(row, file) ? row.totalsOffset : 0 };
  }

  #take(file: FoundFile, from: number, scanned: ScannedUsage, recount: Set<number>): void {
    const known = this.#rows.byPath(file.path);
    if (known && from === 0) this.#drop(known, recount);
    if (!scanned) return;
    const row = this.#rows.byPath(file.path) ?? this.#add(file);
    const fresh = unpackUsage(scanned.usage);
    const usage: FileUsage = from === 0 ? fresh : this.#rows.usageOf(row.id);
    if (from > 0) for (const record of fresh.values()) addSighting(usage, record);
    row.totalsOffset = scanned.offset;
    row.edges = scanned.edges;
    Object.assign(row, { size: file.size, mtimeMs: file.mtimeMs, inode: file.inode, parser: PARSER_VERSION });
    this.#rows.save(row);
    if (fresh.size === 0) return;
    const ledger = this.#openLedger();
    this.#rows.saveUsage(row.id, usage, from === 0 ? scanned.usage : undefined);
    for (const id of ledger.add({ id: row.id, path: row.path, usage })) recount.add(id);
    recount.add(row.id);
  }

  #add(file: FoundFile): FileRow {
    const { sessionId, agentId } = ownerByPath(this.#projects(), file.path);
    return this.#rows.add({
      ...file,
      sessionId: sessionId ?? sessionInside(file.path) ?? agentId ?? file.path,
      agentId,
      parser: PARSER_VERSION,
      edges: '',
      totalsOffset: 0,
      textOffset: 0,
      problems: { lines: {}, unknownTypes: {} },
    });
  }

  #drop(row: FileRow, recount: Set<number>): void {
    const heirs = this.#openLedger().remove({ id: row.id, path: row.path, usage: this.#rows.usageOf(row.id) });
    for (const id of heirs) recount.add(id);
    recount.delete(row.id);
    this.#rows.remove(row);
  }

  #recount(ids: Set<number>): void {
    for (const id of ids) {
      const row = this.#rows.row(id);
      const file = this.#rows.get(id);
      if (row && file) this.#rows.saveSpending(row, spendingOf(this.#openLedger().countedIn(file), this.#prices));
    }
  }

  #openLedger(): Ledger {
    this.#ledger ??= new Ledger(this.#rows);
    return this.#ledger;
  }
}

export function isUnchanged(row: FileRow | undefined, file: FoundFile): boolean {
  return (
    row?.parser === PARSER_VERSION && row.size === file.size && row.mtimeMs === file.mtimeMs && row.inode === file.inode
  );
}

/** What was read is still there, and more came after it. A file of the same size that was written to is another one. */
function hasOnlyGrown(row: FileRow, file: FoundFile): boolean {
  if (row.parser !== PARSER_VERSION || row.inode !== file.inode || file.size <= row.size) return false;
  const fd = openTranscript(file.path);
  if (fd === undefined) return false;
  try {
    return edgesOf(fd, row.totalsOffset) === row.edges;
  } finally {
    closeSync(fd);
  }
}
