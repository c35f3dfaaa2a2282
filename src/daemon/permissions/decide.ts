import type { DecisionRequest, DecisionResult } from '../../contract/approvals.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { Rules } from '../rules/rules.ts';
import type { Judge } from './judge.ts';

export type Decide = (id: string, request: DecisionRequest, by: string) => Promise<DecisionResult>;

/**
 * The operator's decision. An "always" is written in one transaction with its rule and every other pending approval the rule decides, so it
 * is never half done.
 */
export function createDecide({
  approvals,
  rules,
  judge,
}: {
  approvals: Approvals;
  rules: Rules;
  judge: Judge;
}): Decide {
  return async (id, { remember, undoable: _, ...request }, by) => {
    if (!remember) return approvals.decide(id, request, by);
    const { rule, draft, compiled } = rules.prepare(remember, by);
    let alsoSettled: string[] = [];
    const approval = await approvals.decide(id, request, by, () => {
      const byRule = judge.decidedBy(compiled()).filter((other) => other.approval.id !== id);
      alsoSettled = byRule.map((other) => other.approval.id);
      return { drafts: [draft], byRule };
    });
    rules.adopt(rule);
    return { ...approval, rule, ...(alsoSettled.length > 0 ? { alsoSettled } : {}) };
  };
}
