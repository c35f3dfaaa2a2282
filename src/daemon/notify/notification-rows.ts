import type { Notification, NotificationPart, NotificationState } from '../../contract/notify.ts';
import type { Sqlite } from '../journal/sqlite.ts';

/** A notification with its internal fields. */
export interface StoredNotification extends Notification {
  token: string;
  /** The id the channel returned when it accepted the notification. */
  ref: string | null;
}

interface Row {
  id: string;
  notice_id: string | null;
  channel_id: string;
  part: NotificationPart;
  state: NotificationState;
  due_at: number;
  created_at: number;
  body: string;
}

type StoredBody = Pick<StoredNotification, 'title' | 'attempts' | 'acceptedAt' | 'shownAt' | 'error' | 'token' | 'ref'>;

const COLUMNS = 'id, notice_id, channel_id, part, state, due_at, created_at, body';

export class NotificationRows {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  /** A notice goes to a channel once, even across crashes: the row is unique. */
  insert(one: StoredNotification): void {
    const sql = `INSERT INTO notifications (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                 ON CONFLICT (notice_id, channel_id, part) DO NOTHING`;
    this.#db
      .prepare(sql)
      .run(one.id, one.noticeId, one.channelId, one.part, one.state, one.dueAt, one.createdAt, bodyOf(one));
  }

  update(one: StoredNotification): void {
    this.#db
      .prepare('UPDATE notifications SET state = ?, due_at = ?, body = ? WHERE id = ?')
      .run(one.state, one.dueAt, bodyOf(one), one.id);
  }

  get(id: string): StoredNotification | undefined {
    const row = this.#db.prepare(`SELECT ${COLUMNS} FROM notifications WHERE id = ?`).get(id) as Row | undefined;
    return row && toNotification(row);
  }

  due(now: number, limit: number): StoredNotification[] {
    const sql = `SELECT ${COLUMNS} FROM notifications WHERE state = 'waiting' AND due_at <= ? ORDER BY due_at LIMIT ?`;
    return this.#all(sql, now, limit);
  }

  ofNotice(noticeId: string): StoredNotification[] {
    return this.#all(`SELECT ${COLUMNS} FROM notifications WHERE notice_id = ?`, noticeId);
  }

  newest({ channelId, limit }: { channelId?: string | undefined; limit: number }): StoredNotification[] {
    if (channelId === undefined)
      return this.#all(`SELECT ${COLUMNS} FROM notifications ORDER BY created_at DESC, rowid DESC LIMIT ?`, limit);
    const sql = `SELECT ${COLUMNS} FROM notifications WHERE channel_id = ? ORDER BY created_at DESC, rowid DESC LIMIT ?`;
    return this.#all(sql, channelId, limit);
  }

  /** The clock was set back: what was due in ten minutes still is. */
  shift(byMs: number): void {
    this.#db.prepare("UPDATE notifications SET due_at = due_at + ? WHERE state = 'waiting'").run(byMs);
  }

  removeOf(channelId: string): void {
    this.#db.prepare('DELETE FROM notifications WHERE channel_id = ?').run(channelId);
  }

  prune(before: number): void {
    this.#db.prepare("DELETE FROM notifications WHERE state <> 'waiting' AND created_at < ?").run(before);
  }

  #all(sql: string, ...params: unknown[]): StoredNotification[] {
    return (this.#db.prepare(sql).all(...params) as Row[]).map(toNotification);
  }
}

function bodyOf({ title, attempts, acceptedAt, shownAt, error, token, ref }: StoredNotification): string {
  return JSON.stringify({ title, attempts, acceptedAt, shownAt, error, token, ref } satisfies StoredBody);
}

function toNotification(row: Row): StoredNotification {
  return {
    id: row.id,
    noticeId: row.notice_id,
    channelId: row.channel_id,
    part: row.part,
    state: row.state,
    createdAt: row.created_at,
    dueAt: row.due_at,
    ...(JSON.parse(row.body) as StoredBody),
  };
}

/** As the API shows it. */
export function toShown({ token: _token, ref: _ref, ...shown }: StoredNotification): Notification {
  return shown;
}
