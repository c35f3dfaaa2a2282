import { closeSync } from 'node:fs';
import { inTransaction, type Sqlite } from '../../journal/sqlite.ts';
import { sessionInside } from '../lines/first-lines.ts';
import { normalizeModel } from '../prices/model-name.ts';
import type { Prices } from '../prices/prices.ts';
import type { CostState } from '../usage/cost-state.ts';
import { edgesOf } from '../usage/edge-fingerprint.ts';
import { addSighting, parseUsage, unpackUsage } from '../usage/file-usage.ts';
import { Ledger } from '../usage/ledger.ts';
import { openTranscript } from '../usage/scan-usage.ts';
import { sharedMessages } from '../usage/shared-messages.ts';
import type { Sightings } from '../usage/sightings.ts';
import type { SpendingCells } from '../usage/spending.ts';
import { spendingOfRows } from '../usage/spending-of-rows.ts';
import type { FileRow, FileRows } from './file-rows.ts';
import { type FoundFile, ownerByPath } from './find-transcripts.ts';
import { OtherRequestRows } from './other-request-rows.ts';
import { dropUsageIndexes, PARSER_VERSION } from './schema.ts';

/** A transcript to read, and from where. 0: all of it. */
export interface UsageScan {
  path: string;
  from: number;
}

/** The usage in the lines from there. undefined: it couldn't be read. */
export type ScannedUsage =
  | {
      /** As it was when opened. */
      file: FoundFile;
      offset: number;
      edges: string;
      /** Packed. */
      usage: string;
      sightings: Sightings;
      /** As if no other file had any of it. */
      spending: SpendingCells;
      firstAt: number | null;
      lastAt: number | null;
      states: CostState[];
    }
  | undefined;

export type ScanUsage = (
  scans: UsageScan[],
  onScanned: (place: number, scanned: ScannedUsage) => void,
  prices: Prices,
) => Promise<void>;

/** A new or changed transcript. Without `file`, it is new and hasn't been checked. */
export interface Stale {
  path: string;
  file: FoundFile | undefined;
}

export interface ScanProgress {
  path: string;
  bytes: number;
  wasRead: boolean;
}

/** Files at a time. */
const MANY = 50;

/** Keeps tokens and costs current: reads what is new in files and counts each message once across all of them. */
export class Totals {
  readonly #db: Sqlite;
  readonly #rows: FileRows;
  readonly #others: OtherRequestRows;
  readonly #projects: () => readonly string[];
  #roots: readonly string[] = [];
  /** Created when a file changes: a start that finds nothing new needs none. */
  #ledger: Ledger | undefined;
  #prices: Prices;

  constructor(options: { db: Sqlite; rows: FileRows; projects: () => readonly string[]; prices: Prices }) {
    this.#db = options.db;
    this.#rows = options.rows;
    this.#others = new OtherRequestRows(options);
    this.#projects = options.projects;
    this.#prices = options.prices;
  }

  /** Reads what is new. In a transaction, since a message may move from one file to another. */
  async update(found: Stale[], scan: ScanUsage, onProgress: (progress: ScanProgress) => void): Promise<void> {
    const scans = found.map(({ path, file }) => ({ path, from: file ? this.#startOf(file) : 0 }));
    this.#roots = this.#projects();
    const recount = new Set<number>();
    const sessions = new Set<string>();
    const dropped = found.length > MANY ? dropUsageIndexes(this.#db) : undefined;
    const take = (place: number, scanned: ScannedUsage) => {
      const { path, from } = scans[place]!;
      this.#take(path, from, scanned, recount);
      const row = this.#rows.byPath(path);
      if (row) sessions.add(row.sessionId);
      const size = scanned?.file.size ?? found[place]?.file?.size ?? 0;
      onProgress({ path, bytes: size - from, wasRead: scanned !== undefined });
    };
    await scan(scans, take, this.#prices);
    dropped?.makeAgain();
    this.#recount(recount, sessions);
  }

  /** In a transaction. */
  remove(paths: string[]): void {
    const recount = new Set<number>();
    const sessions = new Set<string>();
    for (const path of paths) {
      const row = this.#rows.byPath(path);
      if (!row) continue;
      sessions.add(row.sessionId);
      this.#drop(row, recount);
    }
    this.#recount(recount, sessions);
  }

  /** Recomputes every cost that uses other prices. */
  reprice(prices: Prices): void {
    const before = this.#prices;
    this.#prices = prices;
    const key = 'prices';
    const known = this.#db.prepare('SELECT value FROM meta WHERE key = ?').get(key) as { value: string } | undefined;
    if (known?.value === prices.fingerprint) return;
    const changed =
      known?.value === before.fingerprint ? this.#filesWith(prices.changedSince(before)) : this.#allFiles();
    inTransaction(this.#db, () => {
      this.#recount(changed, new Set());
      this.#db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, prices.fingerprint);
    });
  }

  #allFiles(): Set<number> {
    return new Set([...this.#rows.rows()].map(({ id }) => id));
  }

  #filesWith(models: ReadonlySet<string>): Set<number> {
    const rows = this.#db.prepare('SELECT DISTINCT model, file_id AS id FROM usage').all();
    return new Set(
      (rows as { model: string; id: number }[]).flatMap(({ model, id }) =>
        models.has(normalizeModel(model)) ? id : [],
      ),
    );
  }

  #startOf(file: FoundFile): number {
    const row = this.#rows.byPath(file.path);
    return row && hasOnlyGrown(row, file) ? row.totalsOffset : 0;
  }

  #take(path: string, from: number, scanned: ScannedUsage, recount: Set<number>): void {
    const known = this.#rows.byPath(path);
    if (known && from > 0) {
      if (scanned) this.#goOn(known, scanned, recount);
      return;
    }
    if (known) this.#drop(known, recount);
    if (scanned) this.#begin(scanned, recount);
  }

  #begin(scanned: NonNullable<ScannedUsage>, recount: Set<number>): void {
    const ledger = this.#openLedger();
    const { file } = scanned;
    const { sessionId, agentId } = ownerByPath(this.#roots, file.path);
    const row = this.#rows.add(
      {
        ...file,
        sessionId: sessionId ?? sessionInside(file.path) ?? agentId ?? file.path,
        agentId,
        parser: PARSER_VERSION,
        edges: scanned.edges,
        totalsOffset: scanned.offset,
        textOffset: 0,
        problems: { lines: {}, unknownTypes: {} },
        firstAt: scanned.firstAt,
        lastAt: scanned.lastAt,
      },
      scanned.usage,
    );
    this.#rows.addStates(row, scanned.states);
    const { changed } = ledger.add({ ...row, sightings: () => scanned.sightings });
    for (const id of changed) recount.add(id);
    if (!changed.has(row.id)) this.#rows.addSpending(row, scanned.spending);
  }

  #goOn(row: FileRow, scanned: NonNullable<ScannedUsage>, recount: Set<number>): void {
    const { file } = scanned;
    // if the file system doesn't store creation times, what it reports instead changes with each write
    Object.assign(row, { ...file, bornMs: row.bornMs, edges: scanned.edges, totalsOffset: scanned.offset });
    row.firstAt = least(row.firstAt, scanned.firstAt);
    row.lastAt = most(row.lastAt, scanned.lastAt);
    this.#rows.save(row);
    this.#rows.addStates(row, scanned.states);
    if (scanned.sightings.keys.length === 0) return;
    const ledger = this.#openLedger();
    const usage = this.#rows.usageOf(row.id);
    for (const record of unpackUsage(scanned.usage).values()) addSighting(usage, record);
    this.#rows.saveUsage(row.id, usage);
    const { changed } = ledger.add({ ...row, sightings: () => scanned.sightings });
    for (const id of changed.add(row.id)) recount.add(id);
  }

  #drop(row: FileRow, recount: Set<number>): void {
    const { changed } = this.#openLedger().remove(this.#rows.get(row.id)!);
    for (const id of changed) recount.add(id);
    recount.delete(row.id);
    this.#rows.remove(row);
  }

  /** `sessions`: others that changed as a result. */
  #recount(ids: Set<number>, sessions: Set<string>): void {
    const ledger = this.#openLedger();
    for (const id of ids) {
      const row = this.#rows.byId(id);
      if (!row) continue;
      const usage = parseUsage(this.#rows.packedUsageOf(id));
      const keys = usage.rows.map(([key]) => key);
      const owners = keys.map((key) => ledger.ownerOf(key));
      this.#rows.setSpending(
        row,
        spendingOfRows(usage, (place) => owners[place] === id, this.#prices),
      );
      this.#rows.setShared(row, sharedMessages(keys, id, owners));
      sessions.add(row.sessionId);
    }
    this.#others.recount(sessions, this.#prices);
  }

  #openLedger(): Ledger {
    this.#ledger ??= new Ledger(this.#rows);
    return this.#ledger;
  }
}

function least(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

function most(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

export function isUnchanged(row: FileRow | undefined, file: FoundFile): boolean {
  return (
    row?.parser === PARSER_VERSION && row.size === file.size && row.mtimeMs === file.mtimeMs && row.inode === file.inode
  );
}

/** What was read is still there, with more after it. A file of the same size that was written to is a different one. */
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
