import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Review } from '../../../contract/reviews.ts';
import { type Rule, RuleDraft } from '../../../contract/rules.ts';
import { actorName } from '../actor-name.ts';
import type { Context } from '../context.ts';
import { TAGS } from './tags.ts';

const Params = z.object({ id: z.string() });

const SeedRule = z.object({
  pattern: z.object({ tool_name: z.string(), parameters: z.record(z.string(), z.string()).default({}) }),
  decision: z.enum(['allow', 'deny', 'ask']),
  reason: z.string().default(''),
  enabled: z.boolean().default(true),
  priority: z.number().int().default(0),
});

const Judged = z
  .object({ create_rule: z.boolean().default(false), rule: SeedRule.optional() })
  .default({ create_rule: false });

/** Rules and reviews under the names that the two-way communication documents give them. */
export const compatRuleRoutes: FastifyPluginAsyncZod<Context> = async (app, { rules, reviews }) => {
  app.post(
    '/sessions/:id/rules',
    { schema: { tags: TAGS, params: Params, body: SeedRule } },
    async ({ params, body, device }) => toSeedRule(await rules.create(toDraft(body, params.id), actorName(device))),
  );

  app.get('/sessions/:id/rules', { schema: { tags: TAGS, params: Params } }, async ({ params }) => ({
    rules: rules
      .list()
      .filter(({ scope, sessionId }) => scope === 'global' || sessionId === params.id)
      .map(toSeedRule),
  }));

  app.put('/rules/:id', { schema: { tags: TAGS, params: Params, body: SeedRule } }, async ({ params, body, device }) =>
    toSeedRule(await rules.update(params.id, toDraft(body, rules.get(params.id).sessionId), actorName(device))),
  );

  app.delete('/rules/:id', { schema: { tags: TAGS, params: Params } }, async ({ params, device }) => {
    await rules.remove(params.id, actorName(device));
    return { ok: true };
  });

  app.get('/sessions/:id/pending-reviews', { schema: { tags: TAGS, params: Params } }, async ({ params }) => ({
    pending: reviews.list({ status: 'pending', sessionId: params.id, limit: 1000 }).map(toSeedReview),
  }));

  for (const action of ['approve', 'deny'] as const) {
    app.post(
      `/tool-decisions/:id/${action}`,
      { schema: { tags: TAGS, params: Params, body: Judged.nullish() } },
      async ({ params, body, device }) => {
        const { toolName, shape, sessionId } = reviews.get(params.id);
        const rule = body?.create_rule && body.rule ? toDraft(body.rule, undefined) : undefined;
        await reviews.decide({ toolName, shape, sessionId, action, ...(rule ? { rule } : {}) }, actorName(device));
        return { ok: true };
      },
    );
  }
};

function toDraft({ pattern, ...rest }: z.infer<typeof SeedRule>, sessionId: string | undefined): RuleDraft {
  const scope = sessionId ? { scope: 'session' as const, sessionId } : { scope: 'global' as const };
  return RuleDraft.parse({
    ...rest,
    ...scope,
    pattern: { toolName: pattern.tool_name, parameters: pattern.parameters },
  });
}

function toSeedRule({ id, sessionId, createdAt, updatedAt, enabled, priority, pattern, decision, reason }: Rule) {
  return {
    id,
    session_id: sessionId ?? null,
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
    enabled,
    priority,
    pattern: { tool_name: pattern.toolName, parameters: pattern.parameters },
    decision,
    reason,
  };
}

function toSeedReview({ id, sessionId, at, toolName, toolInput, status }: Review) {
  return {
    event_type: 'tool_pending_review',
    tool_use_id: id,
    session_id: sessionId,
    timestamp: new Date(at).toISOString(),
    tool_name: toolName,
    tool_input: toolInput,
    status,
    user_decision: null,
    decision_timestamp: null,
  };
}
