import type { RuleDecision } from './rules.ts';

const DECISIONS = { deny: 0, ask: 1, allow: 2 } as const;

interface OrderedRule {
  decision: RuleDecision;
  priority: number;
  createdAt: number;
}

/** Which of two matching rules decides: deny before ask, ask before allow; then the higher priority, then the newer rule. */
export function byDecidingOrder(a: OrderedRule, b: OrderedRule): number {
  return DECISIONS[a.decision] - DECISIONS[b.decision] || b.priority - a.priority || b.createdAt - a.createdAt;
}
