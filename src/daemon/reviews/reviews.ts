import { shapePattern } from '../../contract/call-shape.ts';
import type { Review, ReviewDecision, ReviewGroup, ReviewStatus } from '../../contract/reviews.ts';
import { type Rule, RuleDraft } from '../../contract/rules.ts';
import type { Core } from '../core.ts';
import { DomainError } from '../errors.ts';
import type { Sqlite } from '../journal/sqlite.ts';
import type { CallToJudge } from '../rules/call-facts.ts';
import type { Rules } from '../rules/rules.ts';
import { shapeOf } from '../rules/shape.ts';
import { clip } from '../sessions/clip.ts';

const STATUS_OF = { approve: 'approved', deny: 'denied', dismiss: 'dismissed' } as const;
/** A call that never ends must not be remembered forever. */
const MAX_UNDER_WAY = 10_000;

/** The review queue: what ran without a rule, grouped by shape, reviewed in batches. */
export class Reviews {
  readonly #core: Core;
  readonly #rules: Rules;
  readonly #now: () => number;
  readonly #underWay = new Map<string, CallToJudge>();
  /** Rows being written, until their event is on disk. */
  readonly #writing = new Map<string, Review>();
  readonly #changeListeners = new Set<() => void>();
  readonly #pendingListeners = new Set<(review: Review) => void>();

  constructor({ core, rules, now }: { core: Core; rules: Rules; now: () => number }) {
    this.#core = core;
    this.#rules = rules;
    this.#now = now;
    core.observe(({ source, name, payload }) => {
      const id = source === 'hook' ? payload.tool_use_id : undefined;
      const added = typeof id === 'string' ? this.#writing.get(id) : undefined;
      if (typeof id === 'string') this.#writing.delete(id);
      const isReported = payload.event_type !== undefined;
      if (added && !isReported) for (const listener of this.#pendingListeners) listener(added);
      if (added || name === 'review.decided') for (const listener of this.#changeListeners) listener();
    });
  }

  /** Called when a call was queued or some were reviewed. */
  onChange(listener: () => void): () => void {
    this.#changeListeners.add(listener);
    return () => this.#changeListeners.delete(listener);
  }

  /** Called for each call that ran without a rule. What a program reports is already on the stream. */
  onPending(listener: (review: Review) => void): () => void {
    this.#pendingListeners.add(listener);
    return () => this.#pendingListeners.delete(listener);
  }

  /** No rule covered this call. If the client runs it, it becomes a review. */
  note(id: string, call: CallToJudge): void {
    putBounded(this.#underWay, id, call);
  }

  /** The operator is asked about it, so there's nothing to review. */
  forget(toolUseId: string | undefined): void {
    if (toolUseId) this.#underWay.delete(toolUseId);
  }

  /** The row to write with the event that says the call ran. */
  rowFor(sessionId: string, id: string | undefined): ((db: Sqlite) => void) | undefined {
    const call = id === undefined ? undefined : this.#underWay.get(id);
    if (id === undefined || !call) return undefined;
    this.#underWay.delete(id);
    return this.rowOf({ id, sessionId, at: this.#now() }, call);
  }

  /** The row of a call someone reports for review, to write with the report. */
  rowOf({ id, sessionId, at }: Pick<Review, 'id' | 'sessionId' | 'at'>, call: CallToJudge): (db: Sqlite) => void {
    const review: Review = {
      id,
      sessionId,
      at,
      toolName: call.toolName,
      toolInput: clip(call.toolInput) as Record<string, unknown>,
      project: call.project ?? call.cwd ?? '',
      shape: shapeOf(call),
      status: 'pending',
      ruleId: null,
      decidedBy: null,
      decidedAt: null,
      notes: null,
    };
    putBounded(this.#writing, id, review);
    const { toolName, shape, project, toolInput } = review;
    return (db) => {
      db.prepare(
        `INSERT INTO reviews (id, session_id, at, tool_name, shape, project, status, body) VALUES (?, ?, ?, ?, ?, ?, 'pending', ?)
         ON CONFLICT (id) DO NOTHING`,
      ).run(id, sessionId, at, toolName, shape, project, JSON.stringify(toolInput));
    };
  }

  count(): number {
    const sql = "SELECT count(*) AS count FROM reviews WHERE status = 'pending'";
    return (this.#core.journal.db.prepare(sql).get() as { count: number }).count;
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
    const review = this.find(id);
    if (!review)
      throw new DomainError('review.unknown', 404, `No review ${id}. GET /api/reviews lists the pending ones.`);
    return review;
  }

  find(id: string): Review | undefined {
    const row = this.#core.journal.db.prepare('SELECT * FROM reviews WHERE id = ?').get(id) as Row | undefined;
    return row ? toReview(row) : undefined;
  }

  /** All pending ones of a shape at once. */
  async decide(
    { toolName, shape, sessionId, action, rule, notes }: ReviewDecision,
    by: string,
  ): Promise<{ decided: number; rule?: Rule }> {
    const made = rule ?? (action === 'deny' ? denyNextTime({ toolName, shape }) : undefined);
    // escaping makes a name longer, and a rule has room for names that exist
    if (made && !RuleDraft.safeParse(made).success)
      throw new DomainError('review.too_long', 400, 'This call is too long for a rule. Write one by hand instead.');
    const judged = { action, notes, by, toolName, detail: shape };
    return this.#judge(judged, made, (db, values) => {
      const sql = `UPDATE reviews SET status = ?, decided_by = ?, decided_at = ?, notes = ?, rule_id = ?
                   WHERE status = 'pending' AND tool_name = ? AND shape = ? AND (? IS NULL OR session_id = ?) RETURNING id`;
      return db.prepare(sql).all(...values, toolName, shape, sessionId ?? null, sessionId ?? null).length;
    });
  }

  /** One call alone. */
  async decideOne(
    id: string,
    { action, rule, notes }: { action: 'approve' | 'deny'; rule?: RuleDraft | undefined; notes?: string | undefined },
    by: string,
  ): Promise<{ decided: number; rule?: Rule }> {
    const { toolName, shape, status } = this.get(id);
    if (status !== 'pending') throw new ReviewAlreadyJudged(id, status);
    return this.#judge({ action, notes, by, toolName, detail: shape }, rule, (db, values) => {
      const sql = `UPDATE reviews SET status = ?, decided_by = ?, decided_at = ?, notes = ?, rule_id = ?
                   WHERE status = 'pending' AND id = ? RETURNING id`;
      return db.prepare(sql).all(...values, id).length;
    });
  }

  /** The rule and the decision are written together, or neither is. */
  async #judge(
    { action, notes, by, toolName, detail }: Judgment,
    draft: RuleDraft | undefined,
    update: (db: Sqlite, values: unknown[]) => number,
  ): Promise<{ decided: number; rule?: Rule }> {
    const status = STATUS_OF[action];
    const prepared = draft ? this.#rules.prepare(draft, by) : undefined;
    const ruleId = prepared?.rule.id;
    let decided = 0;
    await this.#core.recordAll([
      ...(prepared ? [prepared.draft] : []),
      {
        sessionId: '',
        source: 'operator',
        name: 'review.decided',
        payload: { by, decision: status, toolName, ruleId, detail, ...(notes ? { notes } : {}) },
        write: (db) => {
          decided = update(db, [status, by, this.#now(), notes ?? null, ruleId ?? null]);
        },
      },
    ]);
    if (!prepared) return { decided };
    this.#rules.adopt(prepared.rule);
    return { decided, rule: prepared.rule };
  }
}

interface Judgment {
  action: keyof typeof STATUS_OF;
  notes: string | undefined;
  by: string;
  toolName: string;
  detail: string;
}

class ReviewAlreadyJudged extends DomainError {
  constructor(id: string, status: ReviewStatus) {
    super('review.already_judged', 409, `Review ${id} was already decided: ${status}.`);
  }
}

function putBounded<T>(map: Map<string, T>, id: string, value: T): void {
  map.set(id, value);
  if (map.size > MAX_UNDER_WAY) map.delete(map.keys().next().value!);
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
  rule_id: string | null;
  decided_by: string | null;
  decided_at: number | null;
  notes: string | null;
}

interface GroupRow {
  tool_name: string;
  shape: string;
  count: number;
  sessions: number;
  last_at: number;
  latest: string;
}

function toReview(row: Row): Review {
  const { id, at, shape, project, status, notes } = row;
  return {
    id,
    sessionId: row.session_id,
    at,
    toolName: row.tool_name,
    toolInput: JSON.parse(row.body),
    project,
    shape,
    status,
    ruleId: row.rule_id,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
    notes,
  };
}
