import type { Sqlite, Statement } from '../journal/sqlite.ts';
import type { FileRow, FileRows } from './file-rows.ts';
import type { TextJob, TextPart, TextStop } from './read-text.ts';

/** Writes what is said in transcripts: into the full text, and into the facts of each. In a transaction that ends at a stop. */
export class TextPass {
  readonly #rows: FileRows;
  readonly #insertPiece: Statement;
  readonly #insertText: Statement;
  readonly #facts: Statement;
  readonly #setFacts: Statement;
  readonly #touch: Statement;
  #lastPiece: number;

  constructor({ db, rows }: { db: Sqlite; rows: FileRows }) {
    this.#rows = rows;
    this.#insertPiece = db.prepare(
      'INSERT INTO pieces (id, file_id, start, block, uuid, kind, tool, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#insertText = db.prepare('INSERT INTO text (rowid, body, kinds) VALUES (?, ?, ?)');
    this.#facts = db.prepare('SELECT facts FROM files WHERE id = ?');
    this.#setFacts = db.prepare('UPDATE files SET facts = ? WHERE id = ?');
    this.#touch = db.prepare(
      'INSERT OR REPLACE INTO touched (file_id, session_id, path, edits, reads, added, removed) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#lastPiece = (db.prepare('SELECT MAX(id) AS id FROM pieces').get() as { id: number | null }).id ?? 0;
  }

  jobOf({ id, path, agentId, textOffset }: FileRow): TextJob {
    const { facts } = this.#facts.get(id) as { facts: string | null };
    return { fileId: id, path, agentId, from: textOffset, facts };
  }

  /** Undefined: the file was read anew since, or is gone, and the part is of no use. */
  write({ fileId, from, to, pieces, problems, stop }: TextPart): FileRow | undefined {
    const row = this.#rows.byId(fileId);
    if (row?.textOffset !== from) return undefined;
    for (const [start, block, uuid, kind, tool, at, text] of pieces) {
      const id = ++this.#lastPiece;
      this.#insertPiece.run([id, fileId, start, block, uuid, kind, tool, at]);
      this.#insertText.run([id, text, kind]);
    }
    row.textOffset = to;
    for (const [problem, count] of Object.entries(problems))
      row.problems.lines[problem] = (row.problems.lines[problem] ?? 0) + count;
    if (stop) this.#save(row, stop);
    return row;
  }

  #save(row: FileRow, { facts, unknownTypes, touched }: TextStop): void {
    row.problems.unknownTypes = unknownTypes;
    this.#rows.save(row);
    this.#setFacts.run(facts, row.id);
    for (const file of touched) this.#touch.run([row.id, row.sessionId, ...file]);
  }
}
