import { inTransaction, type Sqlite } from '../journal/sqlite.ts';
import type { Session } from './session.ts';

const AT_HAND = 500;

/**
 * Sessions as they were when they left the board, so viewing one again doesn't require folding its whole history. Only a cache: what isn't
 * here is in the journal.
 */
export class RemovedSessions {
  readonly #db: Sqlite;
  readonly #model: number;
  readonly #recent = new Map<string, Session>();
  readonly #unsaved = new Set<string>();

  /** `model` identifies the format: a session in another format isn't read. */
  constructor(db: Sqlite, model: number) {
    this.#db = db;
    this.#model = model;
  }

  /** It just left. */
  note(session: Session): void {
    this.#unsaved.add(session.id);
    this.keepAtHand(session);
  }

  keepAtHand(session: Session): void {
    this.#recent.delete(session.id);
    this.#recent.set(session.id, session);
    if (this.#recent.size <= AT_HAND) return;
    const [oldest] = this.#recent.keys();
    if (this.#unsaved.has(oldest!)) this.save();
    this.#recent.delete(oldest!);
  }

  find(id: string): Session | undefined {
    const sql = 'SELECT body FROM left_sessions WHERE session_id = ? AND model = ?';
    const recent = this.#recent.get(id);
    if (recent) return recent;
    const row = this.#db.prepare(sql).get(id, this.#model) as { body: string } | undefined;
    return row && JSON.parse(row.body);
  }

  /** Many at once, and separate from the events they left with: nobody waits for it. */
  save(): void {
    if (this.#unsaved.size === 0) return;
    const insert = this.#db.prepare('INSERT OR REPLACE INTO left_sessions VALUES (?, ?, ?)');
    inTransaction(this.#db, () => {
      for (const id of this.#unsaved) insert.run(id, this.#model, JSON.stringify(this.#recent.get(id)));
    });
    this.#unsaved.clear();
  }
}
