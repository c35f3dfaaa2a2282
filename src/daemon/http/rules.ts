import * as routes from '../../contract/routes/rules.ts';
import { type Rule, RuleDraft } from '../../contract/rules.ts';
import { recordedCalls } from '../drivers/terminal/recorded-calls.ts';
import type { Journal } from '../journal/journal.ts';
import type { BuiltInRules } from '../rules/built-in/built-in-rules.ts';
import { describeRule } from '../rules/describe-rule.ts';
import type { Policies } from '../rules/policies.ts';
import { rehearse } from '../rules/rehearse.ts';
import type { RuleTools } from '../rules/rule-tools.ts';
import type { Rules } from '../rules/rules.ts';
import { TEMPLATES } from '../rules/templates.ts';
import type { LiveModel } from '../sessions/live-model.ts';
import { actorName } from './actor-name.ts';
import { routesOf } from './routes.ts';
import { serve } from './serve.ts';

interface RulesContext {
  rules: Rules;
  builtIn: BuiltInRules;
  ruleTools: RuleTools;
  policies: Policies;
  journal: Journal;
  live: LiveModel;
}

export const ruleRoutes = routesOf<RulesContext>((app, context) => {
  const { rules, builtIn, ruleTools, policies } = context;

  serve(app, routes.listRules, () => ({ rules: rules.list(), builtIn: builtIn.list() }));
  serve(app, routes.createRule, ({ body, device }) => rules.create(body, actorName(device)));
  serve(app, routes.getRule, ({ params }) => rules.get(params.id));
  serve(app, routes.updateRule, ({ params, body, device }) => rules.update(params.id, body, actorName(device)));
  serve(app, routes.deleteRule, async ({ params, device }) => {
    await rules.remove(params.id, actorName(device));
    return null;
  });
  serve(app, routes.listRuleVersions, ({ params }) => ({ versions: rules.versions(params.id) }));
  serve(app, routes.restoreRule, ({ params, body, device }) =>
    rules.restore(params.id, body.version, actorName(device)),
  );

  serve(app, routes.testRules, ({ body }) => ruleTools.test(body));
  serve(app, routes.rehearseRule, ({ body }) =>
    rehearse(body.rule, {
      ...context,
      recordedCalls: (options) => recordedCalls(context.journal, options),
      limit: body.limit,
      id: body.id,
    }),
  );
  serve(app, routes.describeRule, ({ body }) => ({ text: describeRule(body) }));
  serve(app, routes.listRuleTemplates, () => ({ templates: TEMPLATES }));
  serve(app, routes.suggestRules, () => ({ suggestions: ruleTools.suggestions() }));

  serve(app, routes.exportRules, () => ({ rules: rules.list() }));
  serve(app, routes.importRules, async ({ body, device }) => {
    const drafts = body.rules.map((rule) => RuleDraft.parse(withoutIdentity(rule)));
    return { rules: await rules.import(drafts, actorName(device)) };
  });

  serve(app, routes.listPolicies, () => ({ policies: policies.list() }));
  serve(app, routes.setPolicy, async ({ body, device }) => {
    await policies.set(body.project.replace(/\/+$/, ''), body.policy, actorName(device));
    return { policies: policies.list() };
  });
});

/** An exported rule can be imported; it gets a new id and version. */
function withoutIdentity(rule: RuleDraft | Rule): object {
  if (!('id' in rule)) return rule;
  const { id: _id, version: _version, createdAt: _created, updatedAt: _updated, ...draft } = rule;
  return draft;
}
