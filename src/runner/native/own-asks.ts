import { randomUUID } from 'node:crypto';
import type { Asks } from '../../agent/permission/asks.ts';
import type { CallToDecide } from '../../agent/permission/decision.ts';
import { MAIN_ACTOR } from '../../contract/agent-events.ts';
import { BUDGET_TOOL } from '../../contract/orchestration.ts';
import type { RunnerVerdict } from '../../contract/runners.ts';

/** Questions from the session itself, not the model. They take the same path as any other question, so the same people can answer them. */
function ownCall(call: Pick<CallToDecide, 'name' | 'kind' | 'input'>): CallToDecide {
  return { ...call, id: `own-${randomUUID()}`, actor: { id: MAIN_ACTOR }, isRead: false, canBackground: false };
}

/** Asks whether a sandboxed command may reach a host. */
export async function askForHost(asks: Asks, host: string, signal: AbortSignal): Promise<boolean> {
  const call = ownCall({ name: 'SandboxNetwork', kind: 'permission', input: { host } });
  const { decision } = await asks.decide(call, { signal });
  return decision === 'allow';
}

/** Asks whether the session may exceed its budget, in its terminal and wherever else the operator is. */
export async function askForBudget(
  asks: Asks,
  input: Record<string, unknown>,
  signal: AbortSignal,
): Promise<RunnerVerdict> {
  const call = ownCall({ name: BUDGET_TOOL, kind: 'question', input });
  const decided = await asks.decide(call, { signal });
  const answer = { correlationId: call.id, why: '', by: decided.by };
  if (decided.decision !== 'allow') return { ...answer, decision: 'deny' };
  return { ...answer, decision: 'allow', ...(decided.updatedInput ? { updatedInput: decided.updatedInput } : {}) };
}
