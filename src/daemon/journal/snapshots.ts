import { inTransaction, type Sqlite } from './sqlite.ts';

export interface Snapshot {
  seq: number;
  body: string;
}

/**
 * Saved live models, so a start doesn't read the whole journal. Two are kept and a start takes the older one: folding the events since then
 * refills the replay buffer for reconnecting clients.
 */
export class Snapshots {
  readonly #db: Sqlite;
  readonly #model: number;

  /** `model` identifies the body's format: a snapshot in another format isn't read. */
  constructor(db: Sqlite, model: number) {
    this.#db = db;
    this.#model = model;
  }

  oldest(): Snapshot | undefined {
    const sql = 'SELECT seq, body FROM snapshots WHERE model = ? ORDER BY seq LIMIT 1';
    const row = this.#db.prepare(sql).get(this.#model) as Snapshot | undefined;
    return row && { seq: row.seq, body: row.body };
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

  save({ seq, body }: Snapshot): void {
    inTransaction(this.#db, () => {
      this.#db.prepare('INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)').run(seq, this.#model, body);
      this.#db
        .prepare(
          'DELETE FROM snapshots WHERE model <> ? OR seq NOT IN (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT 2)',
        )
        .run(this.#model);
    });
  }
}
