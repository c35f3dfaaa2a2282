import type { Sqlite } from '../journal/sqlite.ts';

/** A call that a rule decided, that was asked about or is to be reviewed, in the founding documents' terms. */
export interface ToolDecision {
  kind: 'review' | 'approval' | 'rule';
  id: string;
  tool_use_id: string | null;
  session_id: string;
  tool_name: string;
  tool_input: unknown;
  timestamp: string;
  /** pending, approved or denied; or how an approval was closed without a decision. */
  status: string;
  rule_id: string | null;
  user_decision: 'allow' | 'deny' | null;
  decision_timestamp: string | null;
  decision_notes: string | null;
  decided_by: string | null;
}

interface Row extends Omit<ToolDecision, 'timestamp' | 'decision_timestamp'> {
  tool_input: string | null;
  timestamp: number;
  decision_timestamp: number | null;
}

/** Each reads its newest rows by an index: a session may have a hundred thousand. */
const SOURCES = [
  `SELECT 'review' AS kind, id, id AS tool_use_id, session_id, tool_name, body AS tool_input, at AS timestamp, status, rule_id,
     CASE status WHEN 'approved' THEN 'allow' WHEN 'denied' THEN 'deny' END AS user_decision,
     decided_at AS decision_timestamp, notes AS decision_notes, decided_by
   FROM reviews WHERE session_id = ?1 AND at <= ?2 AND (at < ?2 OR id < ?3) ORDER BY at DESC, id DESC LIMIT ?4`,
  `SELECT 'approval' AS kind, id, body ->> '$.toolUseId' AS tool_use_id, session_id, body ->> '$.toolName' AS tool_name,
     body -> '$.toolInput' AS tool_input, created_at AS timestamp,
     CASE status WHEN 'decided' THEN iif(body ->> '$.decision.decision' = 'allow', 'approved', 'denied') ELSE status END AS status,
     coalesce(body ->> '$.decision.ruleId', body ->> '$.ruleId') AS rule_id,
     CASE WHEN body ->> '$.decision.by' NOT IN ('rule', 'policy', 'stop', 'timeout') THEN body ->> '$.decision.decision' END AS user_decision,
     body ->> '$.decision.at' AS decision_timestamp,
     coalesce(body ->> '$.decision.message', body ->> '$.decision.reason', body ->> '$.closedWhy') AS decision_notes,
     coalesce(body ->> '$.decision.by', body ->> '$.closedBy') AS decided_by
   FROM approvals WHERE session_id = ?1 AND created_at <= ?2 AND (created_at < ?2 OR id < ?3)
   ORDER BY created_at DESC, id DESC LIMIT ?4`,
  `SELECT 'rule' AS kind, CAST(seq AS TEXT) AS id, json ->> '$.toolUseId' AS tool_use_id, session_id, json ->> '$.toolName' AS tool_name,
     json -> '$.toolInput' AS tool_input, at AS timestamp,
     iif(json ->> '$.decision' = 'allow', 'approved', 'denied') AS status, json ->> '$.ruleId' AS rule_id, NULL AS user_decision,
     at AS decision_timestamp, json ->> '$.why' AS decision_notes, json ->> '$.by' AS decided_by
   FROM (SELECT seq, session_id, at, CAST(body AS TEXT) AS json FROM events INDEXED BY audit_by_session
         WHERE source IN ('operator', 'control') AND name IN ('rule.applied', 'policy.applied')
         AND session_id = ?1 AND at <= ?2 AND (at < ?2 OR CAST(seq AS TEXT) < ?3) ORDER BY seq DESC LIMIT ?4)`,
];

/** The decisions about a session's calls, newest first. */
export function toolDecisions(
  db: Sqlite,
  sessionId: string,
  { before, limit }: { before?: string | undefined; limit: number },
): { tool_decisions: ToolDecision[]; next_before: string | null } {
  const [at = Number.MAX_SAFE_INTEGER, id = ''] = before?.split('/', 2) ?? [];
  const found = SOURCES.flatMap((sql) => db.prepare(sql).all(sessionId, Number(at), id, limit) as Row[]);
  const rows = found.sort((a, b) => b.timestamp - a.timestamp || (a.id < b.id ? 1 : -1)).slice(0, limit);
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return { tool_decisions: rows.map(toToolDecision), next_before: last ? `${last.timestamp}/${last.id}` : null };
}

function toToolDecision({ tool_input, timestamp, decision_timestamp, ...row }: Row): ToolDecision {
  return {
    ...row,
    tool_input: tool_input === null ? null : JSON.parse(tool_input),
    timestamp: new Date(timestamp).toISOString(),
    decision_timestamp: decision_timestamp === null ? null : new Date(decision_timestamp).toISOString(),
  };
}
