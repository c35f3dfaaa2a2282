import type { Sqlite, Statement } from '../../journal/sqlite.ts';
import type { CostState } from '../usage/cost-state.ts';
import { EMPTY_USAGE, type FileUsage, packUsage, unpackUsage } from '../usage/file-usage.ts';
import type { LedgerFile, LedgerFiles } from '../usage/ledger.ts';
import type { SharedMessages } from '../usage/shared-messages.ts';
import { sightingsOf } from '../usage/sightings.ts';
import { SPENDING_COLUMNS, type SpendingCells } from '../usage/spending.ts';

/** What the index knows about a transcript, without its content. */
export interface FileRow {
  id: number;
  path: string;
  sessionId: string;
  agentId: string | null;
  parser: number;
  size: number;
  mtimeMs: number;
  inode: number;
  bornMs: number;
  edges: string;
  totalsOffset: number;
  textOffset: number;
  problems: FileProblems;
  /** When its first and last messages with usage were written. */
  firstAt: number | null;
  lastAt: number | null;
}

export interface FileProblems {
  /** By kind of problem. */
  lines: Record<string, number>;
  unknownTypes: Record<string, number>;
}

const COLUMNS = `id, path, session_id AS sessionId, agent_id AS agentId, parser, size, mtime_ms AS mtimeMs, inode, born_ms AS bornMs, edges,
  totals_offset AS totalsOffset, text_offset AS textOffset, problems, first_at AS firstAt, last_at AS lastAt`;

const RECENT = 16;
/** Rows of spending per statement: there are tens of thousands, and a call costs the binding more than a row. */
const SEVERAL = 8;

/** The rows of transcripts and their usage. */
export class FileRows implements LedgerFiles {
  readonly #byPath = new Map<string, FileRow>();
  readonly #byId = new Map<number, FileRow>();
  readonly #withProblems = new Set<FileRow>();
  readonly #sessions = new Map<string, number>();
  readonly #statements: ReturnType<typeof prepare>;
  /** A file that shares one message with another usually shares many. */
  readonly #recentUsage = new Map<number, FileUsage>();
  #lastId = 0;

  constructor(db: Sqlite) {
    this.#statements = prepare(db);
    for (const row of db.prepare(`SELECT ${COLUMNS} FROM files`).all() as (FileRow & { problems: string })[]) {
      this.#keep({ ...row, problems: JSON.parse(row.problems) });
      this.#lastId = Math.max(this.#lastId, row.id);
    }
  }

  byPath(path: string): FileRow | undefined {
    return this.#byPath.get(path);
  }

  byId(id: number): FileRow | undefined {
    return this.#byId.get(id);
  }

  rows(): IterableIterator<FileRow> {
    return this.#byPath.values();
  }

  withProblems(): FileRow[] {
    return [...this.#withProblems].sort((a, b) => a.id - b.id);
  }

  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** `usage`: packed. */
  add(row: Omit<FileRow, 'id'>, usage: string): FileRow {
    const added = { ...row, id: ++this.#lastId };
    const { path, sessionId, agentId, parser, size, mtimeMs, inode, bornMs, edges, totalsOffset, textOffset } = row;
    const { firstAt, lastAt } = row;
    const { insert } = this.#statements;
    const problems = JSON.stringify(row.problems);
    // one list costs the binding less than as many arguments
    insert.run([
      added.id,
      path,
      sessionId,
      agentId,
      parser,
      size,
      mtimeMs,
      inode,
      bornMs,
      edges,
      totalsOffset,
      textOffset,
      problems,
      usage,
      firstAt,
      lastAt,
    ]);
    this.#keep(added);
    return added;
  }

  /** Writes the changed parts of the row. */
  save(row: FileRow): void {
    const { id, parser, size, mtimeMs, inode, edges, totalsOffset, textOffset, problems, firstAt, lastAt } = row;
    if (hasProblems(row)) this.#withProblems.add(row);
    else this.#withProblems.delete(row);
    const told = JSON.stringify(problems);
    const { update } = this.#statements;
    update.run(parser, size, mtimeMs, inode, edges, totalsOffset, textOffset, told, firstAt, lastAt, id);
  }

  addStates({ id, sessionId, lastAt }: FileRow, states: readonly CostState[]): void {
    for (const { sessionId: whose, startTime, duration, at, models } of states) {
      // one that was copied along with another session's lines
      if (whose !== '' && whose !== sessionId) continue;
      this.#statements.addState.run(id, sessionId, startTime, duration, at ?? lastAt, JSON.stringify(models));
    }
  }

  setShared({ id }: FileRow, shared: SharedMessages | undefined): void {
    this.#statements.setShared.run(shared ? JSON.stringify(shared) : null, id);
  }

  /** With everything read from it. */
  remove(row: FileRow): void {
    const { id, path, sessionId } = row;
    const others = (this.#sessions.get(sessionId) ?? 1) - 1;
    if (others > 0) this.#sessions.set(sessionId, others);
    else this.#sessions.delete(sessionId);
    this.#withProblems.delete(row);
    this.#byPath.delete(path);
    this.#byId.delete(id);
    this.#recentUsage.delete(id);
    for (const statement of this.#statements.removes) statement.run(id);
  }

  packedUsageOf(id: number): string {
    const row = this.#statements.usage.get(id) as { usage: string } | undefined;
    return row?.usage ?? EMPTY_USAGE;
  }

  usageOf(id: number): FileUsage {
    const known = this.#recentUsage.get(id);
    if (known) return known;
    const usage = unpackUsage(this.packedUsageOf(id));
    if (this.#recentUsage.size >= RECENT) this.#recentUsage.clear();
    this.#recentUsage.set(id, usage);
    return usage;
  }

  saveUsage(id: number, usage: FileUsage): void {
    this.#recentUsage.set(id, usage);
    this.#statements.setUsage.run(packUsage(usage), id);
  }

  addSpending({ id, sessionId, agentId }: FileRow, cells: SpendingCells): void {
    const { addSpending, addSeveral } = this.#statements;
    const row = SPENDING_COLUMNS.length;
    for (let next = 0; next < cells.length; ) {
      const isMuch = next + SEVERAL * row <= cells.length;
      const end = next + (isMuch ? SEVERAL * row : row);
      (isMuch ? addSeveral : addSpending).run([id, sessionId, agentId, ...cells.slice(next, end)]);
      next = end;
    }
  }

  setSpending(row: FileRow, spending: SpendingCells): void {
    this.#statements.clearSpending.run(row.id);
    this.addSpending(row, spending);
  }

  get(id: number): LedgerFile | undefined {
    const row = this.#byId.get(id);
    return (
      row && {
        id,
        path: row.path,
        bornMs: row.bornMs,
        sightings: () => sightingsOf(this.usageOf(id)),
      }
    );
  }

  *all(): Generator<LedgerFile> {
    for (const { id } of this.#byPath.values()) yield this.get(id)!;
  }

  #keep(row: FileRow): void {
    this.#sessions.set(row.sessionId, (this.#sessions.get(row.sessionId) ?? 0) + 1);
    if (hasProblems(row)) this.#withProblems.add(row);
    this.#byPath.set(row.path, row);
    this.#byId.set(row.id, row);
  }
}

function hasProblems({ problems }: FileRow): boolean {
  return Object.keys(problems.lines).length > 0 || Object.keys(problems.unknownTypes).length > 0;
}

function prepare(db: Sqlite): {
  insert: Statement;
  update: Statement;
  usage: Statement;
  setUsage: Statement;
  clearSpending: Statement;
  addState: Statement;
  setShared: Statement;
  addSpending: Statement;
  addSeveral: Statement;
  removes: Statement[];
} {
  return {
    insert: db.prepare(
      `INSERT INTO files (id, path, session_id, agent_id, parser, size, mtime_ms, inode, born_ms, edges, totals_offset,
         text_offset, problems, usage, first_at, last_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    update: db.prepare(
      `UPDATE files SET parser = ?, size = ?, mtime_ms = ?, inode = ?, edges = ?, totals_offset = ?, text_offset = ?,
         problems = ?, first_at = ?, last_at = ? WHERE id = ?`,
    ),
    usage: db.prepare('SELECT usage FROM files WHERE id = ?'),
    setUsage: db.prepare('UPDATE files SET usage = ? WHERE id = ?'),
    clearSpending: db.prepare('DELETE FROM usage WHERE file_id = ? AND kind = 0'),
    addState: db.prepare(
      'INSERT INTO cost_states (file_id, session_id, start_time, duration, at, models) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    setShared: db.prepare('UPDATE files SET shared = ? WHERE id = ?'),
    addSpending: db.prepare(addSpendingSql(1)),
    addSeveral: db.prepare(addSpendingSql(SEVERAL)),
    removes: [
      'DELETE FROM text WHERE rowid IN (SELECT id FROM pieces WHERE file_id = ?)',
      'DELETE FROM pieces WHERE file_id = ?',
      'DELETE FROM origins WHERE file_id = ?',
      'DELETE FROM touched WHERE file_id = ?',
      'DELETE FROM usage WHERE file_id = ?',
      'DELETE FROM cost_states WHERE file_id = ?',
      'DELETE FROM files WHERE id = ?',
    ].map((sql) => db.prepare(sql)),
  };
}

/** Rows of spending, after what they have in common. */
function addSpendingSql(rows: number): string {
  const place = (row: number, column: number) => `?${4 + row * SPENDING_COLUMNS.length + column}`;
  const values = Array.from(
    { length: rows },
    (_, row) => `(?1, ?2, ?3, ${SPENDING_COLUMNS.map((_name, column) => place(row, column)).join(', ')})`,
  );
  return `INSERT INTO usage (file_id, session_id, agent_id, ${SPENDING_COLUMNS.join(', ')}) VALUES ${values.join(', ')}`;
}
