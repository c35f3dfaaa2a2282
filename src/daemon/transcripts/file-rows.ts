import type { Sqlite, Statement } from '../journal/sqlite.ts';
import { type FileUsage, packUsage, unpackUsage } from './file-usage.ts';
import type { LedgerFile, LedgerFiles } from './ledger.ts';
import type { Spending } from './spending.ts';

/** What the index knows of a transcript, without what it has read from it. */
export interface FileRow {
  id: number;
  path: string;
  sessionId: string;
  agentId: string | null;
  parser: number;
  size: number;
  mtimeMs: number;
  inode: number;
  edges: string;
  totalsOffset: number;
  textOffset: number;
  problems: FileProblems;
}

export interface FileProblems {
  /** By what is wrong with the lines. */
  lines: Record<string, number>;
  unknownTypes: Record<string, number>;
}

const COLUMNS = `id, path, session_id AS sessionId, agent_id AS agentId, parser, size, mtime_ms AS mtimeMs, inode, edges,
  totals_offset AS totalsOffset, text_offset AS textOffset, problems`;

/** The rows of transcripts and of what they used. */
export class FileRows implements LedgerFiles {
  readonly #db: Sqlite;
  readonly #byPath = new Map<string, FileRow>();
  readonly #byId = new Map<number, FileRow>();
  readonly #insertUsage: Statement;
  readonly #update: Statement;
  /** Usage that is asked for again and again while many files come at once. */
  readonly #usage = new Map<number, FileUsage>();
  #lastId = 0;

  constructor(db: Sqlite) {
    this.#db = db;
    for (const row of db.prepare(`SELECT ${COLUMNS} FROM files`).all() as (FileRow & { problems: string })[]) {
      this.#keep({ ...row, problems: JSON.parse(row.problems) });
      this.#lastId = Math.max(this.#lastId, row.id);
    }
    this.#insertUsage = db.prepare(
      `INSERT INTO usage (file_id, session_id, agent_id, at, model, branch, messages, input, output, cache_read,
        cache_write_5m, cache_write_1h, total_usd, input_usd, output_usd, cache_read_usd, cache_write_usd)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#update = db.prepare(
      `UPDATE files SET parser = ?, size = ?, mtime_ms = ?, inode = ?, edges = ?, totals_offset = ?, text_offset = ?,
        problems = ? WHERE id = ?`,
    );
  }

  byPath(path: string): FileRow | undefined {
    return this.#byPath.get(path);
  }

  rows(): IterableIterator<FileRow> {
    return this.#byPath.values();
  }

  ofSession(sessionId: string): FileRow[] {
    return [...this.#byPath.values()].filter((row) => row.sessionId === sessionId);
  }

  add(row: Omit<FileRow, 'id'>): FileRow {
    const added = { ...row, id: ++this.#lastId };
    this.#db
      .prepare(
        `INSERT INTO files (id, path, session_id, agent_id, parser, size, mtime_ms, inode, edges, totals_offset, text_offset,
           problems, facts, usage) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)`,
      )
      .run(
        added.id,
        row.path,
        row.sessionId,
        row.agentId,
        row.parser,
        row.size,
        row.mtimeMs,
        row.inode,
        row.edges,
        row.totalsOffset,
        row.textOffset,
        JSON.stringify(row.problems),
        packUsage(new Map()),
      );
    this.#keep(added);
    return added;
  }

  /** Writes what was changed in the row. */
  save(row: FileRow): void {
    this.#update.run(
      row.parser,
      row.size,
      row.mtimeMs,
      row.inode,
      row.edges,
      row.totalsOffset,
      row.textOffset,
      JSON.stringify(row.problems),
      row.id,
    );
  }

  /** With all that was read from it. */
  remove({ id, path }: FileRow): void {
    this.#byPath.delete(path);
    this.#byId.delete(id);
    this.#usage.delete(id);
    this.forgetText(id);
    this.#db.prepare('DELETE FROM usage WHERE file_id = ?').run(id);
    this.#db.prepare('DELETE FROM files WHERE id = ?').run(id);
  }

  forgetText(id: number): void {
    this.#db.prepare('DELETE FROM text WHERE rowid IN (SELECT id FROM pieces WHERE file_id = ?)').run(id);
    this.#db.prepare('DELETE FROM pieces WHERE file_id = ?').run(id);
    this.#db.prepare('DELETE FROM touched WHERE file_id = ?').run(id);
    this.#db.prepare('UPDATE files SET facts = NULL WHERE id = ?').run(id);
  }

  usageOf(id: number): FileUsage {
    const known = this.#usage.get(id);
    if (known) return known;
    const row = this.#db.prepare('SELECT usage FROM files WHERE id = ?').get(id) as { usage: string } | undefined;
    return row ? unpackUsage(row.usage) : new Map();
  }

  saveUsage(id: number, usage: FileUsage, packed = packUsage(usage)): void {
    this.#usage.set(id, usage);
    this.#db.prepare('UPDATE files SET usage = ? WHERE id = ?').run(packed, id);
  }

  /** Held only while a pass goes on. */
  forgetUsage(): void {
    this.#usage.clear();
  }

  saveSpending({ id, sessionId, agentId }: FileRow, spending: Spending[]): void {
    this.#db.prepare('DELETE FROM usage WHERE file_id = ?').run(id);
    for (const {
      at,
      model,
      branch,
      messages,
      input,
      output,
      cacheRead,
      cacheWrite5m,
      cacheWrite1h,
      cost,
    } of spending) {
      this.#insertUsage.run(
        id,
        sessionId,
        agentId,
        at,
        model,
        branch,
        messages,
        input,
        output,
        cacheRead,
        cacheWrite5m,
        cacheWrite1h,
        cost?.total ?? null,
        cost?.input ?? null,
        cost?.output ?? null,
        cost?.cacheRead ?? null,
        cost?.cacheWrite ?? null,
      );
    }
  }

  get(id: number): LedgerFile | undefined {
    const row = this.#byId.get(id);
    return row && { id, path: row.path, usage: this.usageOf(id) };
  }

  row(id: number): FileRow | undefined {
    return this.#byId.get(id);
  }

  *all(): Generator<LedgerFile> {
    for (const { id, path } of this.#byPath.values()) yield { id, path, usage: this.usageOf(id) };
  }

  #keep(row: FileRow): void {
    this.#byPath.set(row.path, row);
    this.#byId.set(row.id, row);
  }
}
