import { clip } from '../sessions/clip.ts';
import type { Journal } from './journal.ts';
import { inTransaction } from './sqlite.ts';
import { toStoredJson } from './to-stored-json.ts';

export interface RetentionPolicy {
  /** How long events are kept. */
  days: number;
  /** Above this size, older events are removed first. */
  bytes: number;
}

interface RetentionOptions {
  journal: Journal;
  policy: () => RetentionPolicy;
  /** Sessions whose events are still folded or viewed. */
  isLive: (sessionId: string) => boolean;
  /** Events from here on are read again at the next start. */
  neededFrom: () => number;
  now: () => number;
}

const DAY_MS = 86_400_000;
/** Full payloads are kept for this long; then large ones are shortened. */
const WHOLE_DAYS = 7;
const LARGE_BYTES = 16 * 1024;
const SHORTENED = { string: 4096, items: 200, depth: 12 };
/** One step must not delay a hook. */
const STEP_ROWS = 200;
const STEP_BYTES = 4 * 2 ** 20;
const FREE_PAGES = 500;

/**
 * Keeps the journal from growing forever. What the operator and Ground Control did is never touched, since the audit log consists of it;
 * nor are sessions on the board. Everything else is shortened after a week, and removed when it is too old or the file is too large.
 */
export class Retention {
  readonly #options: RetentionOptions;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** Does a little of what is due. Returns true if there is more. */
  step(): boolean {
    const isShortening = this.#shorten();
    const isRemoving = this.#remove();
    if (isRemoving) this.#db.exec(`PRAGMA incremental_vacuum(${FREE_PAGES})`);
    return isShortening || isRemoving;
  }

  get #db() {
    return this.#options.journal.db;
  }

  #shorten(): boolean {
    const { journal, now } = this.#options;
    const until = now() - WHOLE_DAYS * DAY_MS;
    const from = journal.upkeep.get('shortened_to');
    const rows = this.#db
      .prepare('SELECT seq, at, source, length(body) AS size FROM events WHERE seq > ? ORDER BY seq LIMIT ?')
      .all(from, STEP_ROWS) as { seq: number; at: number; source: string; size: number }[];
    let taken = 0;
    let last = from;
    inTransaction(this.#db, () => {
      for (const { seq, at, source, size } of rows) {
        if (at > until || taken > STEP_BYTES) break;
        last = seq;
        if (size <= LARGE_BYTES || isRecord(source)) continue;
        taken += size;
        this.#shortenOne(seq);
      }
      if (last !== from) journal.upkeep.set('shortened_to', last);
    });
    return last !== from;
  }

  #shortenOne(seq: number): void {
    const { body } = this.#db.prepare('SELECT body FROM events WHERE seq = ?').get(seq) as { body: ArrayBuffer };
    const payload = JSON.parse(Buffer.from(body).toString('utf8')) as Record<string, unknown>;
    const shortened = { shortened: { bytes: body.byteLength }, ...(clip(payload, SHORTENED) as object) };
    this.#db.prepare('UPDATE events SET body = ? WHERE seq = ?').run(Buffer.from(toStoredJson(shortened)), seq);
  }

  #remove(): boolean {
    const { journal, policy, isLive, neededFrom, now } = this.#options;
    const { days, bytes } = policy();
    const isTooLarge = journal.bytes > bytes;
    const until = isTooLarge ? now() : now() - days * DAY_MS;
    const from = journal.upkeep.get('removed_to');
    const rows = this.#db
      .prepare('SELECT seq, at, source, session_id FROM events WHERE seq > ? AND seq < ? ORDER BY seq LIMIT ?')
      .all(from, Math.min(neededFrom(), journal.committedSeq), STEP_ROWS) as {
      seq: number;
      at: number;
      source: string;
      session_id: string;
    }[];
    const due = rows.filter(({ at }) => at <= until);
    const last = due.at(-1);
    if (!last) {
      // The next round checks again those that were on the board in this one.
      if (isTooLarge && from > 0) journal.upkeep.set('removed_to', 0);
      return false;
    }
    const gone = due.filter(({ source, session_id: id }) => !isRecord(source) && !isLive(id));
    inTransaction(this.#db, () => {
      const remove = this.#db.prepare('DELETE FROM events WHERE seq = ?');
      for (const { seq } of gone) remove.run(seq);
      journal.upkeep.set('removed', journal.upkeep.get('removed') + gone.length);
      journal.upkeep.set('removed_to', last.seq);
    });
    return true;
  }
}

/** What the audit log consists of. */
function isRecord(source: string): boolean {
  return source === 'operator' || source === 'control';
}
