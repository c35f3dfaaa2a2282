import { setImmediate as nextTurn } from 'node:timers/promises';
import { inTransaction, type Sqlite } from './sqlite.ts';

export interface Snapshot {
  seq: number;
  body: string;
}

interface NewSnapshot {
  seq: number;
  /** The body, in the order of its pieces. */
  pieces: Iterable<string>;
  isClosed?: () => boolean;
}

const UNUSED = 'SELECT seq, piece FROM snapshot_pieces WHERE seq NOT IN (SELECT seq FROM snapshots)';

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
    if (!row) return undefined;
    const pieces = this.#db.prepare('SELECT body FROM snapshot_pieces WHERE seq = ? ORDER BY piece').all(row.seq) as {
      body: string;
    }[];
    // older versions wrote the body in one piece
    return { seq: row.seq, body: row.body + pieces.map(({ body }) => body).join('') };
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

  /**
   * Ten thousand sessions are 15 MB, and hooks wait while they are written. So each piece has its own transaction, with pauses between them,
   * and only the row at the end makes it a snapshot.
   */
  async save({ seq, pieces, isClosed = () => false }: NewSnapshot): Promise<void> {
    await this.#dropUnused(isClosed);
    let piece = 0;
    for (const body of pieces) {
      if (isClosed()) return;
      this.#db.prepare('INSERT OR REPLACE INTO snapshot_pieces VALUES (?, ?, ?)').run(seq, piece++, body);
      await nextTurn();
    }
    if (isClosed()) return;
    inTransaction(this.#db, () => {
      this.#db.prepare("INSERT OR REPLACE INTO snapshots VALUES (?, ?, '')").run(seq, this.#model);
      this.#db
        .prepare(
          'DELETE FROM snapshots WHERE model <> ? OR seq NOT IN (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT 2)',
        )
        .run(this.#model);
    });
    await this.#dropUnused(isClosed);
  }

  /** Pieces of snapshots that were replaced, or not finished. */
  async #dropUnused(isClosed: () => boolean): Promise<void> {
    if (isClosed()) return;
    for (const { seq, piece } of this.#db.prepare(UNUSED).all() as { seq: number; piece: number }[]) {
      if (isClosed()) return;
      this.#db.prepare('DELETE FROM snapshot_pieces WHERE seq = ? AND piece = ?').run(seq, piece);
      await nextTurn();
    }
  }
}
