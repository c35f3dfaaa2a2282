import { inTransaction, type Sqlite } from './sqlite.ts';

export interface Snapshot {
  seq: number;
  /** Each a JSON array of sessions. */
  parts: Iterable<string>;
}

/**
 * Saved live models, so a start doesn't read the whole journal. Two are kept and a start takes the older one: folding the events since then
 * refills the replay buffer for reconnecting clients.
 */
export class Snapshots {
  readonly #db: Sqlite;
  readonly #model: number;

  /** `model` identifies the format of the parts: a snapshot in another format isn't read. */
  constructor(db: Sqlite, model: number) {
    this.#db = db;
    this.#model = model;
  }

  oldest(): Snapshot | undefined {
    const sql = 'SELECT seq, body FROM snapshots WHERE model = ? ORDER BY seq LIMIT 1';
    const row = this.#db.prepare(sql).get(this.#model) as { seq: number; body: string } | undefined;
    return row && { seq: row.seq, parts: this.#partsOf(row) };
  }

  *#partsOf({ seq, body }: { seq: number; body: string }): Generator<string> {
    // Earlier versions wrote it as one.
    if (body !== '') yield body;
    const sql = 'SELECT body FROM snapshot_parts WHERE seq = ? ORDER BY part';
    for (const row of this.#db.prepare(sql).iterate(seq)) yield (row as { body: string }).body;
  }

  /** A start reads the events after this one. */
  oldestSeq(): number {
    const sql = 'SELECT min(seq) AS seq FROM snapshots WHERE model = ?';
    return (this.#db.prepare(sql).get(this.#model) as { seq: number | null }).seq ?? 0;
  }

  newestSeq(): number {
    const sql = 'SELECT max(seq) AS seq FROM snapshots WHERE model = ?';
    return (this.#db.prepare(sql).get(this.#model) as { seq: number | null }).seq ?? 0;
  }

  /** Written part by part, and counts once it is complete: hooks are recorded in between. False: canceled. */
  async save(
    { seq, parts }: { seq: number; parts: AsyncIterable<string> | Iterable<string> },
    isCanceled: () => boolean = () => false,
  ): Promise<boolean> {
    this.#db.prepare('DELETE FROM snapshot_parts WHERE seq = ?').run(seq);
    const insert = this.#db.prepare('INSERT INTO snapshot_parts VALUES (?, ?, ?)');
    let part = 0;
    for await (const body of parts) {
      if (isCanceled()) return false;
      insert.run(seq, part++, body);
    }
    if (isCanceled()) return false;
    inTransaction(this.#db, () => {
      this.#db.prepare('INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)').run(seq, this.#model, '');
      this.#db
        .prepare(
          'DELETE FROM snapshots WHERE model <> ? OR seq NOT IN (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT 2)',
        )
        .run(this.#model);
      // also what a killed daemon left unfinished
      this.#db.exec('DELETE FROM snapshot_parts WHERE seq NOT IN (SELECT seq FROM snapshots)');
    });
    return true;
  }
}
