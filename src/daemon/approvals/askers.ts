import type { Sqlite } from '../journal/sqlite.ts';

/** A hook that waits for an approval's decision. Parallel calls with the same input share one approval. */
export interface Asker {
  /** Its own name, under which a hook process reconnects after a daemon restart. */
  key: string;
  /** The call it asks for, if known. */
  toolUseId: string | null;
  /** The client that runs it. */
  pid: number | null;
  /** False: an HTTP hook, which is lost with its connection. */
  returns: boolean;
}

export interface AttachedAsker extends Asker {
  approvalId: string;
}

interface Row {
  key: string;
  approval_id: string;
  tool_use_id: string | null;
  pid: number | null;
  returns: number;
}

/** A hook process looks for the daemon every second, and the daemon may be slow to start. */
const RETURN_MS = 10_000;
const LOST_MS = 1000;

/** After this long without any of them, nobody will fetch the answer: the dialog is on its own. */
export function returnsWithinMs(askers: readonly Asker[]): number {
  return askers.some(({ returns }) => returns) ? RETURN_MS : LOST_MS;
}

/** No hook waits longer than a day. */
const KEEP_MS = 2 * 86_400_000;

/** Who waits for which approval, across restarts. */
export class Askers {
  readonly #db: Sqlite;
  readonly #now: () => number;
  /** Cached for recently used approvals, since every event of a session asks for them. */
  readonly #atHand = new Map<string, AttachedAsker[]>();

  constructor({ db, now }: { db: Sqlite; now: () => number }) {
    this.#db = db;
    this.#now = now;
    db.prepare('DELETE FROM askers WHERE at < ?').run(now() - KEEP_MS);
  }

  add(approvalId: string, { key, toolUseId, pid, returns }: Asker): void {
    this.#atHand.delete(approvalId);
    this.#db
      .prepare('INSERT OR REPLACE INTO askers VALUES (?, ?, ?, ?, ?, ?)')
      .run(key, approvalId, toolUseId, pid, returns ? 1 : 0, this.#now());
  }

  find(key: string): AttachedAsker | undefined {
    const row = this.#db.prepare('SELECT * FROM askers WHERE key = ?').get(key) as Row | undefined;
    return row && toAsker(row);
  }

  of(approvalId: string): AttachedAsker[] {
    const known = this.#atHand.get(approvalId);
    if (known) return known;
    const sql = 'SELECT * FROM askers WHERE approval_id = ? ORDER BY rowid';
    const askers = (this.#db.prepare(sql).all(approvalId) as Row[]).map(toAsker);
    this.#atHand.set(approvalId, askers);
    return askers;
  }

  /** The approval is settled. */
  putAway(approvalId: string): void {
    this.#atHand.delete(approvalId);
  }
}

function toAsker({ key, approval_id: approvalId, tool_use_id: toolUseId, pid, returns }: Row): AttachedAsker {
  return { key, approvalId, toolUseId, pid, returns: returns === 1 };
}
