import { byDecidingOrder } from '../../../src/contract/rule-order.ts';
import type { Rule } from '../../../src/contract/rules.ts';

export interface RuleGroup {
  title: string;
  rules: Rule[];
}

const SCOPES = { global: 0, project: 1, session: 2 } as const;

/** Grouped by scope, in evaluation order. */
export function groupRules(rules: readonly Rule[], filter: string): RuleGroup[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const kept = rules.filter((rule) => words.every((word) => haystackOf(rule).includes(word))).sort(byOrder);
  const groups = new Map<string, Rule[]>();
  for (const rule of kept) {
    const title = titleOf(rule);
    groups.set(title, [...(groups.get(title) ?? []), rule]);
  }
  return [...groups].map(([title, members]) => ({ title, rules: members }));
}

function byOrder(a: Rule, b: Rule): number {
  return SCOPES[a.scope] - SCOPES[b.scope] || titleOf(a).localeCompare(titleOf(b)) || byDecidingOrder(a, b);
}

function titleOf({ scope, project, sessionId }: Rule): string {
  if (scope === 'project') return project ?? 'A project';
  return scope === 'session' ? `Session ${sessionId}` : 'Everywhere';
}

function haystackOf({ pattern, project, reason, decision }: Rule): string {
  const texts = [pattern.toolName, ...Object.entries(pattern.parameters).flat(), project ?? '', reason, decision];
  return texts.join('\n').toLowerCase();
}
