import type { RuleDraft } from '../../contract/rules.ts';
import { describeConditions } from './conditions.ts';
import { kindOf } from './parameters.ts';

const VERBS = { allow: 'Allow', deny: 'Deny', ask: 'Ask before' } as const;

/** What a rule will do, in words and with its patterns verbatim. The operator reads this before saving it. */
export function describeRule(rule: RuleDraft): string {
  const { toolName, parameters } = rule.pattern;
  const tool = toolName === '*' ? 'any tool' : toolName.split('|').join(' or ');
  const tests = Object.entries(parameters).map(([key, pattern]) => describeTest(key, pattern, rule.decision));
  const input = tests.length === 0 ? ', whatever its input' : `, if ${tests.join(' and ')}`;
  const state = rule.enabled ? '' : ' (turned off)';
  return `${VERBS[rule.decision]} ${tool}${input}. ${describeConditions(rule)}${describeRank(rule)}${state}.`;
}

function describeTest(key: string, pattern: string, decision: RuleDraft['decision']): string {
  const isAllow = decision === 'allow';
  switch (kindOf(key)) {
    case 'command':
      return isAllow
        ? `every command in it matches \`${pattern}\` or another allow rule, and it is fully parseable`
        : `any command in it matches \`${pattern}\``;
    case 'path':
      return isAllow
        ? `${key}, with links followed, matches \`${pattern}\`${describeBase(pattern)}`
        : `${key}, as written or with links followed, matches \`${pattern}\`${describeBase(pattern)}`;
    default:
      return `${key} matches \`${pattern}\``;
  }
}

/** It's easy to overlook where a path pattern starts, so spell it out. */
function describeBase(pattern: string): string {
  if (/^(\/|~|\$HOME|\*\*\/)/.test(pattern)) return '';
  return pattern.includes('/') ? ' in the project' : ' in any folder';
}

function describeRank({ priority, decision }: RuleDraft): string {
  return priority === 0 ? '' : `, with priority ${priority} among ${decision} rules`;
}
