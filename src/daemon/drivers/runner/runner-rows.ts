import type { Sqlite } from '../../journal/sqlite.ts';

interface Row {
  id: string;
  session_id: string;
  acked: number;
}

/** The runners, and how much of each one's reports is in the journal. */
export class RunnerRows {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  insert(id: string, sessionId: string, startedAt: number): void {
    this.#db
      .prepare('INSERT INTO runners (id, session_id, acked, started_at) VALUES (?, ?, 0, ?)')
      .run(id, sessionId, startedAt);
  }

  ack(id: string, seq: number): void {
    this.#db.prepare('UPDATE runners SET acked = ? WHERE id = ?').run(seq, id);
  }

  end(id: string, at: number): void {
    this.#db.prepare('UPDATE runners SET ended_at = ? WHERE id = ?').run(at, id);
  }

  live(): { id: string; sessionId: string; acked: number }[] {
    const rows = this.#db.prepare('SELECT id, session_id, acked FROM runners WHERE ended_at IS NULL').all() as Row[];
    return rows.map(({ id, session_id: sessionId, acked }) => ({ id, sessionId, acked }));
  }
}
