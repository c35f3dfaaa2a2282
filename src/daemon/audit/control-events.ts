import type { AuditQuery } from '../../contract/audit.ts';
import { type EventRow, type JournalEvent, toEvent } from '../journal/journal.ts';
import type { Sqlite } from '../journal/sqlite.ts';

export type AuditFilter = Omit<AuditQuery, 'limit'>;

/** Approvals are also journaled when they are requested and held; the audit log lists each decision once. */
const NOT_ACTIONS = `('approval.requested', 'approval.held', 'ask.raised', 'ask.decided', 'ask.left_to_terminal',
                      'api_ask.raised', 'api_ask.settled')`;
/** Matches the indexes' WHERE clause. */
const BY_US = "source IN ('operator', 'control')";
const PAGE = 200;

/** What the operator and we did. One index covers all queries, so only the rows shown are read. */
export function* controlEvents(db: Sqlite, filter: AuditFilter): Generator<JournalEvent> {
  const isNewestFirst = filter.order === 'newest';
  const names = filter.by ? namesLike(db, filter.by) : undefined;
  if (names?.length === 0) return;
  const { from, conditions, values } = select(filter, names);
  const direction = isNewestFirst ? 'DESC' : 'ASC';
  const page = db.prepare(
    `SELECT * FROM events WHERE seq IN (SELECT seq FROM ${from} WHERE ${BY_US} AND ${conditions.join(' AND ')}
     ORDER BY seq ${direction} LIMIT ${PAGE}) ORDER BY seq ${direction}`,
  );
  let after = filter.after;
  let before = filter.before ?? Number.MAX_SAFE_INTEGER;
  // In pages: a slow reader must not keep a read transaction open, which would stop the write-ahead log from shrinking.
  for (;;) {
    const rows = page.all(after, before, ...values) as EventRow[];
    for (const row of rows) yield toEvent(row);
    if (rows.length < PAGE) return;
    if (isNewestFirst) before = rows.at(-1)!.seq;
    else after = rows.at(-1)!.seq;
  }
}

function select({ action, sessionId, since, until }: AuditFilter, names: string[] | undefined) {
  const conditions = ['seq > ?', 'seq < ?', `name NOT IN ${NOT_ACTIONS}`];
  const values: unknown[] = [];
  const add = (condition: string, ...given: unknown[]) => {
    conditions.push(condition);
    values.push(...given);
  };
  if (action) add('instr(name, ?) = 1', action);
  if (sessionId) add('session_id = ?', sessionId);
  if (since !== undefined) add('at >= ?', since);
  if (until !== undefined) add('at <= ?', until);
  if (names !== undefined) add(`who IN (${names.map(() => '?').join()})`, ...names);
  const others = names === undefined ? 'audit' : 'audit_by_who';
  // By name, or SQLite picks the index over all of a session's events.
  return { from: `events INDEXED BY ${sessionId ? 'audit_by_session' : others}`, conditions, values };
}

/** Everyone who ever acted, by part of their name. There are few, and the index skips from one to the next. */
function namesLike(db: Sqlite, part: string): string[] {
  const next = `SELECT min(who) FROM events INDEXED BY audit_by_who WHERE ${BY_US}`;
  const names = db
    .prepare(
      `WITH RECURSIVE names (who) AS (${next} UNION ALL SELECT (${next} AND who > names.who) FROM names
       WHERE names.who IS NOT NULL) SELECT who FROM names WHERE who IS NOT NULL`,
    )
    .all() as { who: string }[];
  return names.map(({ who }) => who).filter((who) => who.toLowerCase().includes(part.toLowerCase()));
}
