import type { CommentSubject, DiffComment } from '../../contract/comments.ts';
import type { Sqlite } from '../journal/sqlite.ts';

/** Stored comments. */
export class CommentRows {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  save(comment: DiffComment): void {
    this.#db
      .prepare(
        `INSERT INTO diff_comments (id, subject, body) VALUES (?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET body = excluded.body`,
      )
      .run(comment.id, keyOf(comment.subject), JSON.stringify(comment));
  }

  remove(id: string): void {
    this.#db.prepare('DELETE FROM diff_comments WHERE id = ?').run(id);
  }

  get(id: string): DiffComment | undefined {
    const row = this.#db.prepare('SELECT body FROM diff_comments WHERE id = ?').get(id);
    return row ? toComment(row) : undefined;
  }

  /** Oldest first. */
  of(subject: CommentSubject): DiffComment[] {
    return this.#db
      .prepare('SELECT body FROM diff_comments WHERE subject = ? ORDER BY place')
      .all(keyOf(subject))
      .map(toComment);
  }
}

const keyOf = ({ kind, id }: CommentSubject): string => `${kind}:${id}`;
const toComment = (row: unknown): DiffComment => JSON.parse((row as { body: string }).body);
