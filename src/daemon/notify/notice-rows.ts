import type { NoticeKind } from '../../contract/notify.ts';
import type { Sqlite } from '../journal/sqlite.ts';

/** Something that needs the operator. Each channel gets it once. */
export interface Notice {
  id: string;
  /** The subject: an approval, or one wait of a session. Each subject has one notice. */
  about: string;
  kind: NoticeKind;
  sessionId: string;
  approvalId: string | undefined;
  title: string;
  body: string;
  /** The same text without anything from the agent or its prompt. */
  plainTitle: string;
  plainBody: string;
  project: string | undefined;
  projectPath: string | undefined;
  blind: boolean;
  raisedAt: number;
  settledAt: number | undefined;
  outcome: string | undefined;
}

interface Row {
  id: string;
  about: string;
  body: string;
  raised_at: number;
  settled_at: number | null;
  outcome: string | null;
}

type StoredBody = Omit<Notice, 'id' | 'about' | 'raisedAt' | 'settledAt' | 'outcome'>;

export class NoticeRows {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  insert({ id, about, raisedAt, settledAt: _settled, outcome: _outcome, ...body }: Notice): void {
    this.#db
      .prepare('INSERT INTO notices (id, about, body, raised_at) VALUES (?, ?, ?, ?)')
      .run(id, about, JSON.stringify(body satisfies StoredBody), raisedAt);
  }

  settle(id: string, at: number, outcome: string): void {
    this.#db.prepare('UPDATE notices SET settled_at = ?, outcome = ? WHERE id = ?').run(at, outcome, id);
  }

  open(): Notice[] {
    const sql = 'SELECT id, about, body, raised_at, settled_at, outcome FROM notices WHERE settled_at IS NULL';
    return (this.#db.prepare(sql).all() as Row[]).map(toNotice);
  }

  get(id: string): Notice | undefined {
    const sql = 'SELECT id, about, body, raised_at, settled_at, outcome FROM notices WHERE id = ?';
    const row = this.#db.prepare(sql).get(id) as Row | undefined;
    return row && toNotice(row);
  }

  /** Whether the subject already has a notice. It isn't announced twice. */
  isKnown(about: string): boolean {
    return this.#db.prepare('SELECT 1 FROM notices WHERE about = ?').get(about) !== undefined;
  }

  prune(before: number): void {
    this.#db.prepare('DELETE FROM notices WHERE settled_at < ?').run(before);
  }
}

function toNotice({ id, about, body, raised_at: raisedAt, settled_at, outcome }: Row): Notice {
  const stored = JSON.parse(body) as StoredBody;
  return { id, about, raisedAt, settledAt: settled_at ?? undefined, outcome: outcome ?? undefined, ...stored };
}
