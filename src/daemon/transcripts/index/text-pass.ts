import type { Sqlite, Statement } from '../../journal/sqlite.ts';
import { dayOf } from '../search/piece-marks.ts';
import type { FileRow, FileRows } from './file-rows.ts';
import type { Origin, TextJob, TextPart, TextStop } from './read-text.ts';

/** Writes what transcripts say: into the full text, and into each one's facts. In a transaction that ends at a checkpoint. */
export class TextPass {
  readonly #rows: FileRows;
  readonly #insertPiece: Statement;
  readonly #insertText: Statement;
  readonly #facts: Statement;
  readonly #setFacts: Statement;
  readonly #touch: Statement;
  readonly #setOrigin: Statement;
  readonly #findOrigins: Statement;
  readonly #addOrigin: Statement;
  /** For the file written to last, since its parts are consecutive. */
  #origins: { fileId: number; ids: Map<string, number> } | undefined;
  readonly #insertDay: Statement;
  readonly #days: Set<number>;
  #lastPiece: number;
  #lastOrigin: number;

  constructor({ db, rows }: { db: Sqlite; rows: FileRows }) {
    this.#rows = rows;
    this.#insertPiece = db.prepare(
      'INSERT INTO pieces (id, file_id, start, block, uuid, kind, tool, at, origin, length) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#insertText = db.prepare('INSERT INTO text (rowid, body, kinds) VALUES (?, ?, ?)');
    this.#facts = db.prepare('SELECT facts FROM files WHERE id = ?');
    this.#setFacts = db.prepare('UPDATE files SET facts = ? WHERE id = ?');
    this.#touch = db.prepare(
      'INSERT OR REPLACE INTO touched (file_id, session_id, path, edits, reads, added, removed) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    // a statement that might have to be rolled back on its own flushes everything the full text has collected: so OR FAIL, and no RETURNING
    this.#setOrigin = db.prepare(
      "UPDATE OR FAIL pieces SET origin = ? WHERE file_id = ? AND start = ? AND kind = 'prompt'",
    );
    this.#findOrigins = db.prepare('SELECT id, model, branch, is_forked AS isForked FROM origins WHERE file_id = ?');
    this.#addOrigin = db.prepare(
      'INSERT INTO origins (id, file_id, session_id, agent_id, born_ms, model, branch, is_forked) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#insertDay = db.prepare('INSERT OR IGNORE INTO days (day) VALUES (?)');
    this.#days = new Set((db.prepare('SELECT day FROM days').all() as { day: number }[]).map(({ day }) => day));
    const lastIn = (table: string) =>
      (db.prepare(`SELECT MAX(id) AS id FROM ${table}`).get() as { id: number | null }).id ?? 0;
    this.#lastPiece = lastIn('pieces');
    this.#lastOrigin = lastIn('origins');
  }

  jobOf({ id, path, agentId, textOffset }: FileRow): TextJob {
    const { facts } = this.#facts.get(id) as { facts: string | null };
    return { fileId: id, path, agentId, from: textOffset, facts };
  }

  /** undefined: the file was reread since, or is gone, so the part is useless. */
  write({ fileId, from, to, pieces, origins, answered, problems, stop }: TextPart): FileRow | undefined {
    const row = this.#rows.byId(fileId);
    if (row?.textOffset !== from) return undefined;
    const ids = origins.map((origin) => this.#originId(row, origin));
    for (const [start, block, uuid, kind, tool, at, origin, length, text, marks] of pieces) {
      const id = ++this.#lastPiece;
      this.#insertPiece.run([id, fileId, start, block, uuid, kind, tool, at, ids[origin], length]);
      this.#insertText.run([id, text, marks]);
      this.#addDay(dayOf(at));
    }
    for (const [start, origin] of answered) this.#setOrigin.run([ids[origin], fileId, start]);
    row.textOffset = to;
    for (const [problem, count] of Object.entries(problems))
      row.problems.lines[problem] = (row.problems.lines[problem] ?? 0) + count;
    if (stop) this.#save(row, stop);
    return row;
  }

  #addDay(day: number): void {
    if (this.#days.has(day)) return;
    this.#days.add(day);
    this.#insertDay.run(day);
  }

  #originId({ id: fileId, sessionId, agentId, bornMs }: FileRow, origin: Origin): number {
    if (this.#origins?.fileId !== fileId) this.#origins = { fileId, ids: this.#originsOf(fileId) };
    const key = JSON.stringify(origin);
    const known = this.#origins.ids.get(key);
    if (known !== undefined) return known;
    const id = ++this.#lastOrigin;
    this.#addOrigin.run(id, fileId, sessionId, agentId, bornMs, ...origin);
    this.#origins.ids.set(key, id);
    return id;
  }

  #originsOf(fileId: number): Map<string, number> {
    const rows = this.#findOrigins.all(fileId) as {
      id: number;
      model: string | null;
      branch: string | null;
      isForked: 0 | 1;
    }[];
    return new Map(rows.map(({ id, model, branch, isForked }) => [JSON.stringify([model, branch, isForked]), id]));
  }

  #save(row: FileRow, { facts, unknownTypes, touched }: TextStop): void {
    row.problems.unknownTypes = unknownTypes;
    this.#rows.save(row);
    this.#setFacts.run(facts, row.id);
    for (const file of touched) this.#touch.run([row.id, row.sessionId, ...file]);
  }
}
