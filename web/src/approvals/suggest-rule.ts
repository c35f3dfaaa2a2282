import type { Approval } from '../../../src/contract/approvals.ts';
import { shapeOf, shapePattern } from '../../../src/contract/call-shape.ts';
import type { RuleDraft } from '../../../src/contract/rules.ts';

export interface RuleStart {
  draft: RuleDraft;
  /** The parameter that the pattern is about; null: none is obvious, the rule is for every call of the tool. */
  parameter: string | null;
}

/** The rule that "always" most likely means: calls like this one, in this project. It is shown before it is saved. */
export function suggestRule(approval: Approval, project: string | null): RuleStart {
  const pattern = shapePattern(approval.toolName, shapeOf(approval));
  const [parameter = null] = Object.keys(pattern.parameters);
  const scope = project
    ? { scope: 'project' as const, project }
    : { scope: 'session' as const, sessionId: approval.sessionId };
  return { draft: { ...scope, pattern, decision: 'allow', priority: 0, enabled: true, reason: '' }, parameter };
}

/** Only this very call: what a pattern gives a meaning is taken literally. */
export function exactPattern(value: string): string {
  return value.replace(/[\\*?{},|]/g, '\\$&');
}
