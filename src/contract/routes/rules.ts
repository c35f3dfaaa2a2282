import { z } from 'zod';
import {
  BuiltInRule,
  Rule,
  RuleDraft,
  RuleSuggestion,
  RulesRehearsal,
  RulesRehearsalRequest,
  RulesTestRequest,
  RulesTestResponse,
  RuleTemplate,
  RuleVersion,
} from '../rules.ts';
import { PolicyList, ProjectPolicy } from '../rules-policy.ts';
import { ById, NOTHING, route } from './route.ts';

const tag = 'rules';
const RuleList = z.object({ rules: z.array(Rule) });

export const listRules = route({
  method: 'GET',
  path: '/api/rules',
  tag,
  answer: RuleList.extend({ builtIn: z.array(BuiltInRule) }),
});
export const createRule = route({
  method: 'POST',
  path: '/api/rules',
  tag,
  body: RuleDraft,
  status: 201,
  answer: Rule,
});
export const getRule = route({ method: 'GET', path: '/api/rules/:id', tag, params: ById, answer: Rule });
export const updateRule = route({
  method: 'PUT',
  path: '/api/rules/:id',
  tag,
  params: ById,
  body: RuleDraft,
  answer: Rule,
});
export const deleteRule = route({ method: 'DELETE', path: '/api/rules/:id', tag, params: ById, ...NOTHING });
export const listRuleVersions = route({
  method: 'GET',
  path: '/api/rules/:id/versions',
  tag,
  params: ById,
  answer: z.object({ versions: z.array(RuleVersion) }),
});
export const restoreRule = route({
  method: 'POST',
  path: '/api/rules/:id/restore',
  tag,
  params: ById,
  body: z.object({ version: z.number().int().min(1) }).strict(),
  answer: Rule,
});
export const testRules = route({
  method: 'POST',
  path: '/api/rules/test',
  tag,
  body: RulesTestRequest,
  answer: RulesTestResponse,
});
export const rehearseRule = route({
  method: 'POST',
  path: '/api/rules/rehearse',
  tag,
  body: RulesRehearsalRequest,
  answer: RulesRehearsal,
});
export const describeRule = route({
  method: 'POST',
  path: '/api/rules/describe',
  tag,
  body: RuleDraft,
  answer: z.object({ text: z.string() }),
});
export const listRuleTemplates = route({
  method: 'GET',
  path: '/api/rules/templates',
  tag,
  answer: z.object({ templates: z.array(RuleTemplate) }),
});
export const suggestRules = route({
  method: 'GET',
  path: '/api/rules/suggestions',
  tag,
  answer: z.object({ suggestions: z.array(RuleSuggestion) }),
});
export const exportRules = route({ method: 'GET', path: '/api/rules/export', tag, answer: RuleList });
export const importRules = route({
  method: 'POST',
  path: '/api/rules/import',
  tag,
  body: z.object({ rules: z.array(RuleDraft.or(Rule)).max(10_000) }),
  status: 201,
  answer: RuleList,
});
export const listPolicies = route({ method: 'GET', path: '/api/policies', tag, answer: PolicyList });
export const setPolicy = route({
  method: 'PUT',
  path: '/api/policies',
  tag,
  body: ProjectPolicy,
  answer: PolicyList,
});
