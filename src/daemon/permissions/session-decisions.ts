import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SessionDecisions } from '../../contract/decisions.ts';
import type { RuleDecision } from '../../contract/rules.ts';
import type { Sqlite } from '../journal/sqlite.ts';
import { describeRule } from '../rules/describe-rule.ts';
import type { Rules } from '../rules/rules.ts';

/** Rows read at a time, so hooks wait no longer than that. */
const PAGE = 500;
/** Sessions that are viewed repeatedly. */
const KEEP = 50;

interface RuleTally {
  decision: RuleDecision;
  count: number;
  lastAt: number;
}

/** What rules and policies decided immediately, as far as it has been read. */
interface Applied {
  seq: number;
  approved: number;
  denied: number;
  rules: Map<string, RuleTally>;
}

interface AppliedRow {
  seq: number;
  at: number;
  decision: 'allow' | 'deny';
  rule_id: string | null;
}

interface ApprovalGroup {
  status: string;
  decision: 'allow' | 'deny' | null;
  rule_id: string | null;
  is_asked: 0 | 1;
  count: number;
  last_at: number;
}

/** Counts the decisions about a session's calls. The journal is read once, then only what is new. */
export class DecisionCounts {
  readonly #db: Sqlite;
  readonly #rules: Rules;
  readonly #applied = new Map<string, Applied>();

  constructor({ db, rules }: { db: Sqlite; rules: Rules }) {
    this.#db = db;
    this.#rules = rules;
  }

  async of(sessionId: string): Promise<SessionDecisions> {
    const applied = await this.#readApplied(sessionId);
    const approvals = this.#approvals(sessionId);
    const reviews = this.#reviews(sessionId);
    const asked = (fits: (group: ApprovalGroup) => boolean) =>
      approvals.filter(fits).reduce((sum, { count }) => sum + count, 0);
    return {
      counts: {
        approved: applied.approved + asked(({ decision }) => decision === 'allow') + (reviews.get('approved') ?? 0),
        denied: applied.denied + asked(({ decision }) => decision === 'deny') + (reviews.get('denied') ?? 0),
        pending: asked(({ status }) => status === 'pending'),
        toReview: reviews.get('pending') ?? 0,
      },
      rules: this.#named(withApprovals(applied.rules, approvals)),
    };
  }

  async #readApplied(sessionId: string): Promise<Applied> {
    const known = this.#applied.get(sessionId) ?? { seq: 0, approved: 0, denied: 0, rules: new Map() };
    this.#applied.delete(sessionId);
    this.#applied.set(sessionId, known);
    if (this.#applied.size > KEEP) this.#applied.delete(this.#applied.keys().next().value!);
    const page = this.#db.prepare(
      `SELECT seq, at, CAST(body AS TEXT) ->> '$.decision' AS decision, CAST(body AS TEXT) ->> '$.ruleId' AS rule_id
       FROM events INDEXED BY audit_by_session
       WHERE source IN ('operator', 'control') AND name IN ('rule.applied', 'policy.applied') AND session_id = ? AND seq > ?
       ORDER BY seq LIMIT ${PAGE}`,
    );
    for (;;) {
      const rows = page.all(sessionId, known.seq) as AppliedRow[];
      for (const row of rows) note(known, row);
      if (rows.length < PAGE) return known;
      await nextTurn();
    }
  }

  #approvals(sessionId: string): ApprovalGroup[] {
    const sql = `SELECT status, body ->> '$.decision.decision' AS decision,
                   coalesce(body ->> '$.decision.ruleId', body ->> '$.ruleId') AS rule_id,
                   body ->> '$.decision.ruleId' IS NULL AS is_asked, count(*) AS count,
                   max(coalesce(body ->> '$.decision.at', created_at)) AS last_at
                 FROM approvals WHERE session_id = ? GROUP BY 1, 2, 3, 4`;
    return this.#db.prepare(sql).all(sessionId) as ApprovalGroup[];
  }

  #reviews(sessionId: string): Map<string, number> {
    const sql = 'SELECT status, count(*) AS count FROM reviews WHERE session_id = ? GROUP BY status';
    const rows = this.#db.prepare(sql).all(sessionId) as { status: string; count: number }[];
    return new Map(rows.map(({ status, count }) => [status, count]));
  }

  #named(tallies: Map<string, RuleTally>): SessionDecisions['rules'] {
    const rules = new Map(this.#rules.list().map((rule) => [rule.id, rule]));
    return [...tallies]
      .map(([ruleId, tally]) => {
        const rule = rules.get(ruleId);
        return { ruleId, ...tally, text: rule ? describeRule(rule) : null };
      })
      .sort((a, b) => b.lastAt - a.lastAt);
  }
}

function note(applied: Applied, { seq, at, decision, rule_id: ruleId }: AppliedRow): void {
  // Another reader may have been faster.
  if (seq <= applied.seq) return;
  applied.seq = seq;
  if (decision === 'allow') applied.approved++;
  else applied.denied++;
  if (ruleId !== null) add(applied.rules, ruleId, { decision, count: 1, lastAt: at });
}

function withApprovals(rules: Map<string, RuleTally>, approvals: ApprovalGroup[]): Map<string, RuleTally> {
  const all = new Map(rules);
  for (const { rule_id: ruleId, is_asked: isAsked, decision, count, last_at: lastAt } of approvals) {
    if (ruleId !== null) add(all, ruleId, { decision: isAsked ? 'ask' : (decision ?? 'ask'), count, lastAt });
  }
  return all;
}

/** A changed rule counts as what it last decided. */
function add(tallies: Map<string, RuleTally>, ruleId: string, more: RuleTally): void {
  const known = tallies.get(ruleId);
  const { decision } = known && known.lastAt > more.lastAt ? known : more;
  tallies.set(ruleId, {
    decision,
    count: (known?.count ?? 0) + more.count,
    lastAt: Math.max(known?.lastAt ?? 0, more.lastAt),
  });
}
