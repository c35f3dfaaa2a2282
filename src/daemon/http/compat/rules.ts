import { z } from 'zod';
import type { Judge } from '../../permissions/judge.ts';
import { appliesTo } from '../../rules/conditions.ts';
import type { Rules } from '../../rules/rules.ts';
import { actorName } from '../actor-name.ts';
import { routesOf } from '../routes.ts';
import { CompatRule, CompatRuleChange, CompatRuleDraft, changeRule, toCompatRule, toRuleDraft } from './rule-shape.ts';
import { TAGS } from './tags.ts';

const Params = z.object({ id: z.string() });

interface CompatRulesContext {
  rules: Rules;
  judge: Judge;
}

/** Rules under the names used in the documents. */
export const compatRuleRoutes = routesOf<CompatRulesContext>((app, { rules, judge }) => {
  app.post(
    '/sessions/:id/rules',
    {
      schema: {
        tags: TAGS,
        params: Params.extend({ id: z.string().min(1).max(200) }),
        body: CompatRuleDraft,
        response: { 200: CompatRule },
      },
    },
    async ({ params, body, device }) => {
      const draft = toRuleDraft(body, { scope: 'session', sessionId: params.id });
      return toCompatRule(await rules.create(draft, actorName(device)));
    },
  );

  app.get(
    '/sessions/:id/rules',
    { schema: { tags: TAGS, params: Params, response: { 200: z.object({ rules: z.array(CompatRule) }) } } },
    async ({ params }) => {
      const call = judge.toolCall({ sessionId: params.id, toolName: '', toolInput: {} });
      const own = rules.list().filter((rule) => appliesTo(rule, call));
      own.sort((a, b) => b.priority - a.priority || b.createdAt - a.createdAt);
      return { rules: own.map(toCompatRule) };
    },
  );

  app.put(
    '/rules/:id',
    { schema: { tags: TAGS, params: Params, body: CompatRuleChange, response: { 200: CompatRule } } },
    async ({ params, body, device }) => {
      const draft = changeRule(rules.get(params.id), body);
      return toCompatRule(await rules.update(params.id, draft, actorName(device)));
    },
  );

  app.delete('/rules/:id', { schema: { tags: TAGS, params: Params } }, async ({ params, device }) => {
    await rules.remove(params.id, actorName(device));
    return { ok: true };
  });
});
