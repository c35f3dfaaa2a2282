import type { DaemonStatus } from '../../../../contract/daemon.ts';
import type { JournalEvent } from '../../../journal/journal.ts';
import type { Sqlite } from '../../../journal/sqlite.ts';
import { HOOK_EVENTS } from '../settings/hook-events.ts';

/** Every client release adds events. They are kept like any other; this counts them for `doctor`. */
export class UnknownEvents {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  count({ source, name, at, payload }: JournalEvent): void {
    // Events from POST /events aren't the client's.
    const isClients = source === 'hook' && payload.event_type === undefined;
    if (!isClients || Object.hasOwn(HOOK_EVENTS, name)) return;
    const sql = `INSERT INTO unknown_events VALUES (?, 1, ?)
                 ON CONFLICT (name) DO UPDATE SET count = count + 1, last_seen_at = excluded.last_seen_at`;
    this.#db.prepare(sql).run(name, at);
  }

  list(): DaemonStatus['unknownEvents'] {
    const sql = 'SELECT name, count, last_seen_at AS lastSeenAt FROM unknown_events ORDER BY count DESC LIMIT 100';
    return this.#db.prepare(sql).all() as DaemonStatus['unknownEvents'];
  }
}
