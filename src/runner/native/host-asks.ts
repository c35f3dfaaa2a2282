import type { AsksOptions } from '../../agent/permission/asks.ts';
import { type CallToDecide, type Decision, OPERATOR } from '../../agent/permission/decision.ts';
import { MAIN_ACTOR } from '../../contract/agent-events.ts';
import type { RunnerAsk, RunnerVerdict } from '../../contract/runners.ts';
import type { DriverHost } from '../driver.ts';

/** What the daemon's rules and stops say about a call. */
export function askRules(host: DriverHost): NonNullable<AsksOptions['precheck']> {
  return async (call, signal) => {
    const verdict = await host.precheck(toAsk(call), signal);
    if (verdict.decision === 'none' || verdict.decision === 'ask') return verdict.decision;
    return toDecision(verdict);
  };
}

/** Asks the operator wherever they are: the approval is on the board, in the inbox and on the phone. */
export function askOperator(host: DriverHost): NonNullable<AsksOptions['askElsewhere']> {
  return async (call, signal) => {
    const correlationId = `${host.spec.runnerId}/${call.id}`;
    return toDecision(await host.ask({ ...toAsk(call), stage: 'decide', correlationId }, signal));
  };
}

function toAsk({ id, name, input, kind, actor }: CallToDecide): Omit<RunnerAsk, 'correlationId' | 'stage'> {
  return {
    kind,
    toolUseId: id,
    toolName: name,
    toolInput: input,
    ...(actor.id === MAIN_ACTOR ? {} : { actorId: actor.id }),
    ...(typeof input.plan === 'string' ? { plan: input.plan } : {}),
  };
}

function toDecision({ decision, why, by = OPERATOR, how, updatedInput, endsTurn }: RunnerVerdict): Decision {
  if (how !== undefined) return { decision: how, by };
  if (decision === 'allow') return { decision, by, ...(updatedInput ? { updatedInput } : {}) };
  return { decision: 'deny', by, message: why, ...(endsTurn ? { endsTurn } : {}) };
}
