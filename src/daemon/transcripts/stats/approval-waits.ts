import type { StatsRow } from '../../../contract/stats.ts';
import { openSqlite } from '../../journal/sqlite.ts';

export interface ApprovalWait {
  sessionId: string;
  at: number;
  tool: string;
  /** How long it waited until a person answered. null: nobody did. */
  waitedMs: number | null;
}

interface Row {
  sessionId: string;
  at: number;
  status: string;
  tool: string | null;
  settledAt: number | null;
  waitedMs: number | null;
  by: string | null;
}

/** Approvals in a period, from the journal, which is opened read-only. */
export function approvalWaits(
  journalPath: string,
  { from, to }: { from: number | null; to: number | null },
): ApprovalWait[] {
  const db = openSqlite(journalPath);
  try {
    db.exec('PRAGMA query_only = ON');
    const rows = db
      .prepare(
        `SELECT session_id AS sessionId, created_at AS at, status, json_extract(body, '$.toolName') AS tool,
           json_extract(body, '$.settledAt') AS settledAt, json_extract(body, '$.decision.waitedMs') AS waitedMs,
           json_extract(body, '$.decision.by') AS by
         FROM approvals WHERE created_at >= ? AND created_at < ?`,
      )
      .all(from ?? 0, to ?? Number.MAX_SAFE_INTEGER) as Row[];
    return rows.map((row) => ({
      sessionId: row.sessionId,
      at: row.at,
      tool: row.tool ?? '(no name)',
      waitedMs: waitOf(row),
    }));
  } finally {
    db.close();
  }
}

function waitOf({ status, at, settledAt, waitedMs, by }: Row): number | null {
  if (status === 'answered_in_terminal') return settledAt === null ? null : Math.max(0, settledAt - at);
  return status === 'decided' && by !== 'timeout' ? waitedMs : null;
}

export function summarizeWaits(waits: readonly number[]): StatsRow['approvalWaitMs'] {
  if (waits.length === 0) return null;
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!;
  return { median: at(0.5), p90: at(0.9), total: sorted.reduce((sum, wait) => sum + wait, 0) };
}
