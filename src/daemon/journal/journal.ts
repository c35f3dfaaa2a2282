import type { EventDraft } from '../../contract/events.ts';
import type { EventSource } from '../../contract/sessions.ts';
import { checkTables } from './journal-file.ts';
import { migrate } from './migrations.ts';
import { reserveLog } from './reserve-log.ts';
import { inTransaction, isStorageFailure, openSqlite, type Sqlite } from './sqlite.ts';
import { toStoredJson } from './to-stored-json.ts';
import { Upkeep } from './upkeep.ts';

/** Something that happened to a session, before it has a position in the journal. */
export type Draft = EventDraft & {
  sessionId: string;
  /** The payload as it came, kept byte for byte. Without it the payload is written as JSON. */
  bytes?: Buffer;
  /** Rows that must be written with the event or not at all. */
  write?: (db: Sqlite) => void;
};

export interface JournalEvent {
  seq: number;
  at: number;
  sessionId: string;
  source: EventSource;
  name: string;
  payload: Record<string, unknown>;
}

interface Entry {
  event: JournalEvent;
  bytes: Buffer;
  write: ((db: Sqlite) => void) | undefined;
}

/** Entries that are written together or not at all. */
interface Pending {
  entries: Entry[];
  resolve(events: JournalEvent[]): void;
  reject(error: unknown): void;
}

export interface JournalOptions {
  path: string;
  now: () => number;
  /** Called with each committed batch, in order, before its appends are acknowledged. */
  onCommit: (events: JournalEvent[]) => void;
  /** Called when the file becomes unwritable, and again (undefined) when it is writable. */
  onFailure?: (failure: JournalFailure | undefined) => void;
}

/** The disk is full, or the file is gone or broken. */
export interface JournalFailure {
  since: number;
  message: string;
  /** Number of events that were not recorded. */
  unwritten: number;
}

/**
 * The append-only log. Appends made in one event loop turn share a commit: a single append is committed at once; under load, one fsync
 * covers everything that arrived meanwhile.
 */
export class Journal {
  readonly upkeep: Upkeep;
  readonly #db: Sqlite;
  readonly #options: JournalOptions;
  readonly #insert;
  #pending: Pending[] = [];
  #scheduled = false;
  #committedSeq: number;
  #failure: JournalFailure | undefined;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#db = openSqlite(options.path, { shrinks: true });
    migrate(this.#db, options.path);
    checkTables(this.#db, options.path);
    this.upkeep = new Upkeep(this.#db);
    this.#insert = this.#db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)');
    this.#committedSeq =
      (this.#db.prepare('SELECT max(seq) AS seq FROM events').get() as { seq: number | null }).seq ?? 0;
  }

  /** The newest position on disk. */
  get committedSeq(): number {
    return this.#committedSeq;
  }

  /** null: the last write succeeded. */
  get failure(): JournalFailure | null {
    return this.#failure ?? null;
  }

  /** Size on disk, without free pages. */
  get bytes(): number {
    const read = (name: string) => Object.values(this.#db.prepare(`PRAGMA ${name}`).get() as object)[0] as number;
    return (read('page_count') - read('freelist_count')) * read('page_size');
  }

  /** Number of events. Positions have no gaps; retention removes some. */
  get eventCount(): number {
    return this.#committedSeq - this.upkeep.get('removed');
  }

  /** For tables that other domains keep in the same file. */
  get db(): Sqlite {
    return this.#db;
  }

  /** Resolves when the event is on disk and in the live model. */
  append(draft: Draft): Promise<JournalEvent> {
    return new Promise((resolve, reject) => this.#enqueue([draft], ([event]) => resolve(event!), reject));
  }

  /** Several events in one transaction: all or none. */
  appendAll(drafts: Draft[]): Promise<JournalEvent[]> {
    return new Promise((resolve, reject) => this.#enqueue(drafts, resolve, reject));
  }

  #enqueue(drafts: Draft[], resolve: Pending['resolve'], reject: Pending['reject']): void {
    const at = this.#options.now();
    const entries = drafts.map(({ sessionId, source, name, payload, bytes, write }) => ({
      event: { seq: 0, at, sessionId, source, name, payload },
      bytes: bytes ?? Buffer.from(toStoredJson(payload)),
      write,
    }));
    this.#pending.push({ entries, resolve, reject });
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.flush());
  }

  /** Makes later commits cheaper in exchange for a few megabytes of disk. */
  reserve(): void {
    reserveLog(this.#options.path);
  }

  /** Commits pending appends now. */
  flush(): void {
    this.#scheduled = false;
    const batch = this.#pending;
    if (batch.length === 0) return;
    this.#pending = [];
    const error = this.#tryCommit(batch);
    if (error === undefined) return;
    // One that can't be written must not fail unrelated writes of the same moment.
    for (const pending of batch) {
      const own = batch.length === 1 ? error : this.#tryCommit([pending]);
      if (own === undefined) continue;
      if (isStorageFailure(own)) this.#fail(own as Error, pending.entries.length);
      pending.reject(own);
    }
  }

  #fail({ message }: Error, count: number): void {
    const isNew = this.#failure === undefined;
    const { since, unwritten } = this.#failure ?? { since: this.#options.now(), unwritten: 0 };
    this.#failure = { since, message, unwritten: unwritten + count };
    if (isNew) this.#options.onFailure?.(this.#failure);
  }

  /** Returns why it couldn't be written. In that case none of it was, and no position is used up. */
  #tryCommit(batch: Pending[]): unknown {
    const entries = batch.flatMap((pending) => pending.entries);
    entries.forEach(({ event }, index) => {
      event.seq = this.#committedSeq + 1 + index;
    });
    try {
      this.#commit(entries);
    } catch (error) {
      return error ?? new Error('The journal could not be written.');
    }
    this.#committedSeq += entries.length;
    if (this.#failure) {
      this.#failure = undefined;
      this.#options.onFailure?.(undefined);
    }
    this.#options.onCommit(entries.map(({ event }) => event));
    for (const pending of batch) pending.resolve(pending.entries.map(({ event }) => event));
    return undefined;
  }

  #commit(entries: Entry[]): void {
    const [only] = entries;
    // A single statement is its own transaction and saves two round trips for an agent waiting alone.
    if (only && entries.length === 1 && !only.write) {
      this.#write(only);
      return;
    }
    inTransaction(this.#db, () => {
      for (const entry of entries) {
        this.#write(entry);
        entry.write?.(this.#db);
      }
    });
  }

  #write({ event, bytes }: Entry): void {
    this.#insert.run(event.seq, event.at, event.sessionId, event.source, event.name, bytes);
  }

  *eventsAfter(seq: number): Generator<JournalEvent> {
    for (const row of this.#db.prepare('SELECT * FROM events WHERE seq > ? ORDER BY seq').iterate(seq)) {
      yield toEvent(row as EventRow);
    }
  }

  *eventsOf(sessionId: string, { after }: { after: number }): Generator<JournalEvent> {
    const sql = 'SELECT * FROM events WHERE session_id = ? AND seq > ? ORDER BY seq';
    for (const row of this.#db.prepare(sql).iterate(sessionId, after)) yield toEvent(row as EventRow);
  }

  sessionEvents(sessionId: string, { after, limit }: { after: number; limit: number }): JournalEvent[] {
    const sql = 'SELECT * FROM events WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?';
    return this.#db
      .prepare(sql)
      .all(sessionId, after, limit)
      .map((row) => toEvent(row as EventRow));
  }

  /** The last events before a position, in order. */
  sessionEventsBefore(sessionId: string, { before, limit }: { before: number; limit: number }): JournalEvent[] {
    const sql = 'SELECT * FROM events WHERE session_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?';
    return this.#db
      .prepare(sql)
      .all(sessionId, before, limit)
      .map((row) => toEvent(row as EventRow))
      .reverse();
  }

  /** Where a session's last `count` events start. */
  firstOfLast(sessionId: string, count: number): { seq: number; hasEarlier: boolean } | undefined {
    const sql = 'SELECT seq FROM events WHERE session_id = ? ORDER BY seq DESC LIMIT 2 OFFSET ?';
    const rows = this.#db.prepare(sql).all(sessionId, Math.max(0, count - 1)) as { seq: number }[];
    if (rows[0]) return { seq: rows[0].seq, hasEarlier: rows.length > 1 };
    const [first] = this.sessionEvents(sessionId, { after: 0, limit: 1 });
    return first && { seq: first.seq, hasEarlier: false };
  }

  knowsSession(sessionId: string): boolean {
    return this.#db.prepare('SELECT 1 FROM events WHERE session_id = ? LIMIT 1').get(sessionId) !== undefined;
  }

  close(): void {
    this.flush();
    this.#db.close();
  }
}

export interface EventRow {
  seq: number;
  at: number;
  session_id: string;
  source: EventSource;
  name: string;
  body: ArrayBuffer;
}

export function toEvent({ seq, at, session_id: sessionId, source, name, body }: EventRow): JournalEvent {
  return {
    seq,
    at,
    sessionId,
    source,
    name,
    payload: JSON.parse(Buffer.from(body).toString('utf8')),
  };
}
