import type { Sqlite } from '../journal/sqlite.ts';

/** A hook that waits for the decision on an approval. Calls side by side with the same input share one approval. */
export interface Asker {
  /** Its own name: a hook process comes back under it after the daemon was restarted. */
  key: string;
  /** The call that it asks for, if we could tell. */
  toolUseId: string | null;
  /** Of the client that runs it. */
  pid: number | null;
  /** False: an http hook, which is lost with its connection. */
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

/** After that long without any of them, nobody comes for the answer: the dialog is on its own. */
export function returnsWithinMs(askers: readonly Asker[]): number {
  return askers.some(({ returns }) => returns) ? RETURN_MS : LOST_MS;
}

/** No hook waits for longer than a day. */
const KEEP_MS = 2 * 86_400_000;

/** Who waits for which approval, kept beyond a restart. */
export class Askers {
  readonly #db: Sqlite;
  readonly #now: () => number;
  /** Of approvals that somebody looks at: each event of a session asks for them. */
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

  /** The approval is over. */
  putAway(approvalId: string): void {
    this.#atHand.delete(approvalId);
  }
}

function toAsker({ key, approval_id: approvalId, tool_use_id: toolUseId, pid, returns }: Row): AttachedAsker {
  return { key, approvalId, toolUseId, pid, returns: returns === 1 };
}
