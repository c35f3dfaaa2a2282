import type { Approval } from '../../contract/approvals.ts';
import { denialText } from '../approvals/delivery-proof.ts';
import type { JudgedRule } from '../rules/compile-rule.ts';

/** The answer to a call. `ask` and `none` come only from a precheck: a person has to decide, or nothing has an opinion. */
export interface Verdict {
  decision: 'allow' | 'deny' | 'ask' | 'none';
  by: 'stop' | 'rule' | 'policy' | 'operator' | 'timeout' | 'nobody';
  rule?: JudgedRule | undefined;
  /** One sentence. */
  why: string;
  /** With allow: run the call with this input instead. */
  updatedInput?: Record<string, unknown> | undefined;
  /** What the operator chose beyond yes and no. */
  how?: NonNullable<Approval['decision']>['how'];
  /** With deny: also end the turn. */
  endsTurn?: boolean | undefined;
  /** The approval it comes from: the caller that passes it on reports whether it arrived. */
  approvalId?: string | undefined;
}

/** What a settled approval means for the caller. undefined: still open, or settled elsewhere. */
export function verdictOf(approval: Approval | undefined): Verdict {
  const decision = approval?.decision;
  if (!decision) return { decision: 'none', by: 'nobody', why: 'Nobody decided this in Ground Control.' };
  const by = decision.ruleId !== undefined ? 'rule' : decision.by === 'timeout' ? 'timeout' : 'operator';
  if (decision.decision === 'deny') {
    const why = denialText(decision);
    return { decision: 'deny', by, why, how: decision.how, endsTurn: decision.interrupt, approvalId: approval.id };
  }
  const updatedInput = decision.answers ? { ...approval.toolInput, answers: decision.answers } : decision.updatedInput;
  return {
    decision: 'allow',
    by,
    why: decision.message ?? 'The operator allowed it.',
    how: decision.how,
    updatedInput,
    approvalId: approval.id,
  };
}
