import type { Sqlite } from './sqlite.ts';
import { toStoredJson } from './to-stored-json.ts';

/** `\ud` and `\uD`: nearly every row has neither, and looking for bytes costs SQLite less than we would pay to read it. */
const MAY_HAVE_ONE = "(instr(body, CAST('\\ud' AS BLOB)) > 0 OR instr(body, CAST('\\uD' AS BLOB)) > 0)";

/**
 * Rows from before half a surrogate pair was replaced on writing (see `to-stored-json.ts`): reading the audit log, statistics or a
 * session's decisions would end the daemon. Only the rows that SQLite takes apart; what a hook sent stays as it came.
 */
export function repairSurrogates(db: Sqlite): void {
  const events = db
    .prepare(`SELECT seq, body FROM events WHERE source IN ('operator', 'control') AND ${MAY_HAVE_ONE}`)
    .all() as { seq: number; body: ArrayBuffer }[];
  const update = db.prepare('UPDATE events SET body = ? WHERE seq = ?');
  for (const { seq, body } of events) {
    const stored = repaired(Buffer.from(body).toString('utf8'));
    if (stored !== undefined) update.run(Buffer.from(stored), seq);
  }
  const approvals = db
    .prepare(`SELECT id, body FROM approvals WHERE ${MAY_HAVE_ONE.replaceAll('body', 'CAST(body AS BLOB)')}`)
    .all() as { id: string; body: string }[];
  const updateApproval = db.prepare('UPDATE approvals SET body = ? WHERE id = ?');
  for (const { id, body } of approvals) {
    const stored = repaired(body);
    if (stored !== undefined) updateApproval.run(stored, id);
  }
}

function repaired(body: string): string | undefined {
  try {
    return toStoredJson(JSON.parse(body));
  } catch {
    // not JSON: SQLite reports that as an error, which a request survives
    return undefined;
  }
}
