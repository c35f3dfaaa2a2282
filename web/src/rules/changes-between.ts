import type { Rule } from '../../../src/contract/rules.ts';
import { RULE_CONDITIONS } from './rule-conditions.ts';

export interface RuleChange {
  name: string;
  /** null: it didn't exist before. */
  before: string | null;
  after: string;
}

/** Differences an operator would care about; everything for the first version. */
export function changesBetween(before: Rule | null, after: Rule): RuleChange[] {
  const old = before ? facts(before) : null;
  return Object.entries(facts(after)).flatMap(([name, value]) => {
    const was = old?.[name] ?? null;
    if (old ? was === value : value === '') return [];
    return [{ name, before: old ? (was ?? 'none') : null, after: value || 'none' }];
  });
}

function facts(rule: Rule) {
  const { decision, scope, project, sessionId, pattern, priority, enabled, reason } = rule;
  const conditions = Object.values(RULE_CONDITIONS).map(({ label, summarize }) => [label, summarize(rule)]);
  const parameters = Object.entries(pattern.parameters).map(([name, glob]) => `${name} ${glob}`);
  return {
    Decision: decision,
    Where: project ?? sessionId ?? scope,
    Tool: pattern.toolName,
    When: parameters.join(', '),
    Priority: priority === 0 ? '' : String(priority),
    State: enabled ? 'enabled' : 'disabled',
    Reason: reason,
    ...Object.fromEntries(conditions),
  } as Record<string, string>;
}
