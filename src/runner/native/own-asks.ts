import { randomUUID } from 'node:crypto';
import type { BudgetQuestion } from '../../agent/loop/budget.ts';
import type { Asks } from '../../agent/permission/asks.ts';
import type { CallToDecide } from '../../agent/permission/decision.ts';
import { MAIN_ACTOR } from '../../contract/agent-events.ts';

/** Questions from the session itself, not the model. They are asked like any other, so the same people can answer them. */
function ownCall(call: Pick<CallToDecide, 'name' | 'kind' | 'input'>): CallToDecide {
  return { ...call, id: `own-${randomUUID()}`, actor: { id: MAIN_ACTOR }, isRead: false, canBackground: false };
}

/** Whether a sandboxed command may reach a host. */
export async function askForHost(asks: Asks, host: string, signal: AbortSignal): Promise<boolean> {
  const call = ownCall({ name: 'SandboxNetwork', kind: 'permission', input: { host } });
  const { decision } = await asks.decide(call, { signal });
  return decision === 'allow';
}

const STOP = 'Stop here';

/** The new limit, or null to end the turn. */
export async function askForMore(asks: Asks, question: BudgetQuestion, signal: AbortSignal): Promise<number | null> {
  const { spentUsd, limitUsd, nextUsd } = question;
  const text = `This session has spent $${spentUsd.toFixed(2)} of its budget of $${limitUsd.toFixed(2)}. The next request costs about $${nextUsd.toFixed(2)}. Let it continue?`;
  const more = `Allow $${limitUsd.toFixed(2)} more`;
  const options = [{ label: more }, { label: STOP }];
  const call = ownCall({
    name: 'Budget',
    kind: 'question',
    input: { questions: [{ question: text, header: 'Budget', multiSelect: false, options }] },
  });
  const decided = await asks.decide(call, { signal });
  if (decided.decision !== 'allow') return null;
  const answers = (decided.updatedInput?.answers ?? {}) as Record<string, string>;
  const answer = answers[text] ?? '';
  if (answer === more) return spentUsd + limitUsd;
  // in the operator's own words: a new limit in dollars
  const given = Number.parseFloat(answer.replace(/[^\d.]/g, ''));
  return answer !== STOP && given > limitUsd ? given : null;
}
