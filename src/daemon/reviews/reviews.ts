import { shapePattern } from '../../contract/call-shape.ts';
import type { HookPayload } from '../../contract/hooks.ts';
import type { Review, ReviewDecision, ReviewGroup, ReviewStatus } from '../../contract/reviews.ts';
import type { Rule, RuleDraft } from '../../contract/rules.ts';
import type { Core } from '../core.ts';
import { DomainError } from '../errors.ts';
import type { Sqlite } from '../journal/sqlite.ts';
import type { ToolCall } from '../rules/call-facts.ts';
import type { Rules } from '../rules/rules.ts';
import { shapeOf } from '../rules/shape.ts';
import { clip } from '../sessions/clip.ts';

const STATUS_OF = { approve: 'approved', deny: 'denied', dismiss: 'dismissed' } as const;
/** A call that never ends must not be remembered for ever. */
const MAX_UNDER_WAY = 10_000;

/** The review queue: what ran without a rule, grouped by shape, judged in batches. */
export class Reviews {
  readonly #core: Core;
  readonly #rules: Rules;
  readonly #now: () => number;
  readonly #underWay = new Map<string, ToolCall>();

  constructor({ core, rules, now }: { core: Core; rules: Rules; now: () => number }) {
    this.#core = core;
    this.#rules = rules;
    this.#now = now;
  }

  /** No rule had a say in this call. If the client runs it, it is a review. */
  note(id: string, call: ToolCall): void {
    this.#underWay.set(id, call);
    if (this.#underWay.size > MAX_UNDER_WAY) this.#underWay.delete(this.#underWay.keys().next().value!);
  }

  /** The operator is asked about it: nothing is left to review. */
  forget(toolUseId: string | undefined): void {
    if (toolUseId) this.#underWay.delete(toolUseId);
  }

  /** The row to write together with the event that says that the call has run. */
  rowFor({
    hook_event_name: event,
    tool_use_id: id,
    session_id: sessionId,
  }: HookPayload): ((db: Sqlite) => void) | undefined {
    if ((event !== 'PostToolUse' && event !== 'PostToolUseFailure') || typeof id !== 'string') return undefined;
    const call = this.#underWay.get(id);
    if (!call) return undefined;
    this.#underWay.delete(id);
    const body = JSON.stringify(clip(call.toolInput));
    const row = [
      id,
      sessionId,
      this.#now(),
      call.toolName,
      shapeOf(call),
      call.project ?? call.cwd ?? '',
      'pending',
      body,
    ];
    return (db) => {
      db.prepare('INSERT OR REPLACE INTO reviews VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(...row);
    };
  }

  list({
    status,
    sessionId,
    limit,
  }: {
    status: ReviewStatus;
    sessionId?: string | undefined;
    limit: number;
  }): Review[] {
    const sql = 'SELECT * FROM reviews WHERE status = ? AND (? IS NULL OR session_id = ?) ORDER BY at DESC LIMIT ?';
    return (this.#core.journal.db.prepare(sql).all(status, sessionId ?? null, sessionId ?? null, limit) as Row[]).map(
      toReview,
    );
  }

  groups(): ReviewGroup[] {
    const sql = `SELECT tool_name, shape, count(*) AS count, count(DISTINCT session_id) AS sessions, max(at) AS last_at,
                 (SELECT id FROM reviews AS one WHERE one.status = 'pending' AND one.tool_name = reviews.tool_name
                  AND one.shape = reviews.shape ORDER BY at DESC LIMIT 1) AS latest
                 FROM reviews WHERE status = 'pending' GROUP BY tool_name, shape ORDER BY count DESC, last_at DESC LIMIT 500`;
    const rows = this.#core.journal.db.prepare(sql).all() as GroupRow[];
    return rows.map(({ tool_name: toolName, shape, count, sessions, last_at: lastAt, latest }) => ({
      toolName,
      shape,
      count,
      sessions,
      lastAt,
      latest: this.get(latest),
    }));
  }

  get(id: string): Review {
    const row = this.#core.journal.db.prepare('SELECT * FROM reviews WHERE id = ?').get(id) as Row | undefined;
    if (!row) throw new DomainError('review.unknown', 404, `No review ${id}. GET /api/reviews lists what waits.`);
    return toReview(row);
  }

  /** All pending ones of a shape at once. */
  async decide(
    { toolName, shape, sessionId, action, rule }: ReviewDecision,
    by: string,
  ): Promise<{ decided: number; rule?: Rule }> {
    const saved =
      rule || action === 'deny' ? await this.#rules.create(rule ?? denyNextTime({ toolName, shape }), by) : undefined;
    let decided = 0;
    await this.#core.record({
      sessionId: '',
      source: 'operator',
      name: 'review.decided',
      payload: { by, decision: STATUS_OF[action], toolName, ruleId: saved?.id, detail: shape },
      write: (db) => {
        const sql = `UPDATE reviews SET status = ? WHERE status = 'pending' AND tool_name = ? AND shape = ? AND (? IS NULL OR session_id = ?) RETURNING id`;
        decided = db.prepare(sql).all(STATUS_OF[action], toolName, shape, sessionId ?? null, sessionId ?? null).length;
      },
    });
    return { decided, ...(saved ? { rule: saved } : {}) };
  }
}

function denyNextTime({ toolName, shape }: { toolName: string; shape: string }): RuleDraft {
  return {
    scope: 'global',
    priority: 0,
    enabled: true,
    pattern: shapePattern(toolName, shape),
    decision: 'deny',
    reason: 'Denied in review',
  };
}

interface Row {
  id: string;
  session_id: string;
  at: number;
  tool_name: string;
  shape: string;
  project: string;
  status: ReviewStatus;
  body: string;
}

interface GroupRow {
  tool_name: string;
  shape: string;
  count: number;
  sessions: number;
  last_at: number;
  latest: string;
}

function toReview({ id, session_id: sessionId, at, tool_name: toolName, shape, project, status, body }: Row): Review {
  return { id, sessionId, at, toolName, toolInput: JSON.parse(body), project, shape, status };
}
