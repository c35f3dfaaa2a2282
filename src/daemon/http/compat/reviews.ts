import { z } from 'zod';
import type { Review } from '../../../contract/reviews.ts';
import { RULE_SCOPES, type Rule, type RuleDraft } from '../../../contract/rules.ts';
import type { Approvals } from '../../approvals/approvals.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Decisions } from '../../permissions/decisions.ts';
import type { Judge } from '../../permissions/judge.ts';
import { toolDecisions } from '../../permissions/tool-decisions.ts';
import type { Reviews } from '../../reviews/reviews.ts';
import type { RuleTools } from '../../rules/rule-tools.ts';
import type { LiveModel } from '../../sessions/live-model.ts';
import { actorName } from '../actor-name.ts';
import { routesOf } from '../routes.ts';
import { toCompatReview } from './review-shape.ts';
import { CompatRule, CompatRuleDraft, type Scope, toCompatRule, toRuleDraft } from './rule-shape.ts';
import { TAGS } from './tags.ts';

const Params = z.object({ id: z.string() });
const Page = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(200),
  before: z.string().optional().describe("The previous page's `next_before`"),
});

const Judged = z
  .object({
    create_rule: z.boolean().default(false),
    rule: CompatRuleDraft.extend({
      scope: z
        .enum(RULE_SCOPES)
        .default('session')
        .describe("session: the call's session. project: that session's project"),
    })
      .optional()
      .describe('Default: the rule suggested for the call'),
    decision_notes: z.string().trim().min(1).max(2000).optional(),
  })
  .default({ create_rule: false });
type Judged = z.infer<typeof Judged>;

const Answer = z.object({
  ok: z.literal(true),
  message: z.string(),
  rule: CompatRule.nullable().describe('The rule created. null: none, and the message says why'),
});

interface CompatReviewsContext {
  journal: Journal;
  live: LiveModel;
  reviews: Reviews;
  approvals: Approvals;
  decisions: Decisions;
  judge: Judge;
  ruleTools: RuleTools;
}

/** Calls that no rule matched, reviewed afterwards, and every decision made. */
export const compatReviewRoutes = routesOf<CompatReviewsContext>(
  (app, { journal, live, reviews, approvals, decisions, judge, ruleTools }) => {
    app.get('/sessions/:id/pending-reviews', { schema: { tags: TAGS, params: Params } }, async ({ params }) => ({
      pending: reviews.list({ status: 'pending', sessionId: params.id, limit: 1000 }).map(toCompatReview),
    }));

    app.get(
      '/sessions/:id/tool-decisions',
      { schema: { tags: TAGS, params: Params, querystring: Page } },
      async ({ params, query }) => toolDecisions(journal.db, params.id, query),
    );

    for (const action of ['approve', 'deny'] as const) {
      app.post(
        `/tool-decisions/:id/${action}`,
        { schema: { tags: TAGS, params: Params, body: Judged.nullish(), response: { 200: Answer } } },
        async ({ params, body, device }) => {
          const judged = body ?? { create_rule: false };
          const { rule, why } = await judgeCall(params.id, judged, { action, by: actorName(device) });
          const message = rule ? 'Decision recorded, and the rule was created.' : `Decision recorded. ${why}`;
          return { ok: true as const, message, rule: rule ? toCompatRule(rule) : null };
        },
      );
    }

    /** A call that ran, or one that still waits for the operator. */
    async function judgeCall(
      id: string,
      judged: Judged,
      { action, by }: { action: Action; by: string },
    ): Promise<{ rule?: Rule | undefined; why: string }> {
      const notes = judged.decision_notes;
      const review = reviews.find(id);
      if (review) {
        const { draft, why } = ruleFor(review, judged, action);
        return { why, ...(await reviews.decideOne(id, { action, rule: draft, notes }, by)) };
      }
      const approval = approvals.find(id);
      const project = live.get(approval.sessionId)?.root ?? '';
      const { draft: remember, why } = ruleFor({ ...approval, project }, judged, action);
      const decision = action === 'approve' ? 'allow' : 'deny';
      const message = notes ? { message: notes } : {};
      const { rule } = await decisions.decide(
        approval.id,
        { decision, ...message, ...(remember ? { remember } : {}) },
        by,
      );
      return { rule, why };
    }

    function ruleFor(call: Call, { create_rule, rule }: Judged, action: Action): { draft?: RuleDraft; why: string } {
      if (!create_rule) return { why: 'No rule was created: create_rule is not set.' };
      if (rule) {
        const { scope, ...draft } = rule;
        const found = scopeOf(call, scope);
        return found
          ? { draft: toRuleDraft(draft, found), why: '' }
          : { why: "No rule was created: this call's project is unknown." };
      }
      const { sessionId, toolName, toolInput, project } = call;
      const known = { ...judge.toolCall({ sessionId, toolName, toolInput }), project: project || undefined };
      const { draft } = ruleTools.always(known);
      // A rule nobody has seen must not cover every call of a tool.
      if (Object.keys(draft.pattern.parameters).length === 0)
        return { why: `No rule was created: there is no suggestion for ${toolName}, so send \`rule\`.` };
      return { draft: { ...draft, decision: action === 'approve' ? 'allow' : 'deny' }, why: '' };
    }
  },
);

type Action = 'approve' | 'deny';
type Call = Pick<Review, 'sessionId' | 'toolName' | 'toolInput' | 'project'>;

function scopeOf({ sessionId, project }: Call, scope: (typeof RULE_SCOPES)[number]): Scope | undefined {
  if (scope === 'session') return { scope, sessionId };
  if (scope === 'global') return { scope };
  return project ? { scope, project } : undefined;
}
