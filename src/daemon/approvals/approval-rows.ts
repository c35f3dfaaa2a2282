import type { Approval, ApprovalStatus, Delivery } from '../../contract/approvals.ts';
import type { Sqlite } from '../journal/sqlite.ts';
import { toStoredJson } from '../journal/to-stored-json.ts';

interface Row {
  body: string;
}

export interface ApprovalFilter {
  status?: ApprovalStatus | undefined;
  sessionId?: string | undefined;
  delivery?: Delivery['state'] | undefined;
  limit: number;
  newestFirst?: boolean;
}

/** Spelled out, so that `pending` uses its partial index. */
const DELIVERY: Record<Delivery['state'], string> = {
  pending: "AND delivery = 'pending'",
  delivered: "AND delivery = 'delivered'",
  not_delivered: "AND delivery = 'not_delivered'",
};

/** Approvals on disk. Each is a row before anyone waits for it. */
export class ApprovalRows {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  insert(approval: Approval): void {
    const { id, origin, correlationId, sessionId, status, createdAt } = approval;
    this.#db
      .prepare('INSERT INTO approvals VALUES (?, ?, ?, ?, ?, ?, ?, NULL)')
      .run(id, origin, correlationId, sessionId, status, createdAt, toStoredJson(approval));
  }

  update(approval: Approval): void {
    this.#db
      .prepare('UPDATE approvals SET status = ?, delivery = ?, body = ? WHERE id = ?')
      .run(approval.status, approval.delivery?.state ?? null, toStoredJson(approval), approval.id);
  }

  get(id: string): Approval | undefined {
    return one(this.#db.prepare('SELECT body FROM approvals WHERE id = ?').get(id));
  }

  /** Decided, but not yet known to have reached the asker. */
  undelivered(): Approval[] {
    const rows = this.#db.prepare("SELECT body FROM approvals WHERE delivery = 'pending' ORDER BY created_at").all();
    return rows.map((row) => JSON.parse((row as Row).body));
  }

  byCorrelation({ origin, correlationId }: Pick<Approval, 'origin' | 'correlationId'>): Approval | undefined {
    const sql = 'SELECT body FROM approvals WHERE origin = ? AND correlation_id = ?';
    return one(this.#db.prepare(sql).get(origin, correlationId));
  }

  /** Oldest first, unless specified otherwise. */
  list({ status, sessionId, delivery, limit, newestFirst }: ApprovalFilter): Approval[] {
    const sql = `SELECT body FROM approvals WHERE (? IS NULL OR status = ?) AND (? IS NULL OR session_id = ?)
                 ${delivery ? DELIVERY[delivery] : ''} ORDER BY created_at ${newestFirst ? 'DESC' : 'ASC'}, rowid LIMIT ?`;
    const [by, of] = [status ?? null, sessionId ?? null];
    const rows = this.#db.prepare(sql).all(by, by, of, of, limit);
    return rows.map((row) => JSON.parse((row as Row).body));
  }
}

function one(row: unknown): Approval | undefined {
  return row ? JSON.parse((row as Row).body) : undefined;
}
