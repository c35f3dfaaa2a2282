import type { RunnerAsk, RunnerSync, RunnerVerdict } from '../../../contract/runners.ts';
import type { Approvals } from '../../approvals/approvals.ts';
import type { Ask } from '../../approvals/ask.ts';
import { type Deliveries, NOT_DELIVERED } from '../../approvals/deliveries.ts';
import type { Judge, PermissionCall, Verdict } from '../../permissions/judge.ts';
import type { CallToJudge } from '../../rules/call-facts.ts';
import type { Runner, Runners } from './runners.ts';

/** Rules decide within this time, so the verdict can go into the response to the same request. */
const AT_ONCE_MS = 50;

export interface RunnerAsksOptions {
  runners: Runners;
  judge: Judge;
  approvals: Approvals;
  deliveries: Deliveries;
  /** When an unanswered question of this session is refused. Undefined: never. */
  timeoutOf: (sessionId: string) => number | undefined;
  /** Called for a call that no rule matched and that the agent may therefore run. */
  onUnruled: (toolUseId: string, call: CallToJudge) => void;
  onError: (error: unknown) => void;
}

/**
 * Runs runners' questions through the permission pipeline. An operator's answer arrives later as a command, possibly from a different
 * daemon than the one that was asked. The correlation id finds the approval again.
 */
export class RunnerAsks {
  readonly #options: RunnerAsksOptions;
  /** Waiting runners, by correlation id. */
  readonly #waiting = new Map<string, AbortController>();

  constructor(options: RunnerAsksOptions) {
    this.#options = options;
  }

  /** The verdicts that are known right away. */
  async take(runner: Runner, { asks, withdrawn, answered, outcomes }: RunnerSync): Promise<RunnerVerdict[]> {
    for (const id of withdrawn) await this.#withdraw(id);
    for (const { correlationId, decision } of answered) await this.#answeredThere(correlationId, decision);
    for (const outcome of outcomes) await this.#settled(outcome);
    const verdicts = await Promise.all(asks.map((ask) => this.#answer(runner, ask)));
    return verdicts.filter((verdict) => verdict !== undefined);
  }

  async #answer(runner: Runner, ask: RunnerAsk): Promise<RunnerVerdict | undefined> {
    const { judge, onUnruled } = this.#options;
    const call = toCall(runner.sessionId, ask);
    if (ask.stage === 'before') {
      const verdict = await judge.precheck(call, { isWritten: true });
      const isUnruled = verdict.decision === 'none' && call.kind === 'permission';
      if (isUnruled && call.toolUseId) onUnruled(call.toolUseId, judge.toolCall(call));
      return toRunnerVerdict(ask, verdict);
    }
    const waiting = this.#wait(runner, ask, call);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), AT_ONCE_MS);
    });
    const first = await Promise.race([waiting.then((verdict) => ({ verdict })), late]);
    clearTimeout(timer);
    if (first) return first.verdict;
    waiting.then((verdict) => verdict && this.#send(runner, verdict)).catch(this.#options.onError);
    return undefined;
  }

  /** Undefined: the runner no longer waits, or the daemon is stopping and the runner will ask the next one. */
  async #wait(runner: Runner, ask: RunnerAsk, call: PermissionCall): Promise<RunnerVerdict | undefined> {
    const { correlationId } = ask;
    this.#waiting.get(correlationId)?.abort();
    const waiting = new AbortController();
    this.#waiting.set(correlationId, waiting);
    const { signal } = waiting;
    const verdict = await this.#options.judge.judge(
      call,
      async () => ({
        ...toAsk(runner.sessionId, ask),
        timeoutSeconds: this.#options.timeoutOf(runner.sessionId),
      }),
      {
        isWritten: true,
        signal,
      },
    );
    if (this.#waiting.get(correlationId) === waiting) this.#waiting.delete(correlationId);
    if (signal.aborted || (verdict.decision !== 'allow' && verdict.decision !== 'deny')) {
      return this.#isSettledOtherwise(correlationId)
        ? toRunnerVerdict(ask, { ...verdict, decision: 'deny' })
        : undefined;
    }
    return toRunnerVerdict(ask, verdict);
  }

  /** Closed without a decision, and none will follow. */
  #isSettledOtherwise(correlationId: string): boolean {
    const approval = this.#options.approvals.byCorrelation({ origin: 'runner', correlationId });
    return approval !== undefined && approval.status !== 'pending' && approval.status !== 'decided';
  }

  #send(runner: Runner, verdict: RunnerVerdict): void {
    const { runners } = this.#options;
    const current = runners.of(runner.sessionId);
    if (current === runner) runners.tell(runner, { kind: 'verdict', verdict });
  }

  async #withdraw(correlationId: string): Promise<void> {
    this.#waiting.get(correlationId)?.abort();
    const approval = this.#options.approvals.byCorrelation({ origin: 'runner', correlationId });
    if (approval)
      await this.#options.approvals.close(approval.id, 'cancelled', { why: 'The session no longer needs an answer.' });
  }

  /** The person at the session's own terminal answered first. A decision made here in the meantime has no effect, and says so. */
  async #answeredThere(correlationId: string, decision: 'allow' | 'deny'): Promise<void> {
    const { approvals } = this.#options;
    this.#waiting.get(correlationId)?.abort();
    const approval = approvals.byCorrelation({ origin: 'runner', correlationId });
    if (!approval) return;
    const why = decision === 'allow' ? 'Allowed in the terminal.' : 'Denied in the terminal.';
    const closed = await approvals.close(approval.id, 'answered_in_terminal', { why });
    if ((closed ?? approval).status === 'decided')
      await approvals.deliver(approval.id, { state: 'not_delivered', why: NOT_DELIVERED.keyboard });
  }

  /** The runner has this answer, or already had another one. */
  async #settled({ id, error }: RunnerSync['outcomes'][number]): Promise<void> {
    const { approvals, deliveries } = this.#options;
    const approval = approvals.byCorrelation({ origin: 'runner', correlationId: id });
    if (approval?.delivery?.state !== 'pending') return;
    if (error === null) deliveries.collected(approval.id);
    else await approvals.deliver(approval.id, { state: 'not_delivered', why: NOT_DELIVERED.keyboard });
  }
}

function toCall(sessionId: string, { kind, actorId, toolUseId, toolName, toolInput, cwd }: RunnerAsk): PermissionCall {
  return { origin: 'runner', sessionId, agentId: actorId, toolUseId, kind, toolName, toolInput, cwd };
}

function toAsk(sessionId: string, { correlationId, plan, ...ask }: RunnerAsk): Ask {
  return {
    ...toCall(sessionId, { correlationId, ...ask }),
    correlationId,
    plan,
    // a question is the call itself; a permission holds a call back
    holdsCall: ask.kind === 'permission',
  };
}

function toRunnerVerdict(
  { correlationId }: RunnerAsk,
  { decision, why, by, how, updatedInput, endsTurn }: Verdict,
): RunnerVerdict {
  return {
    correlationId,
    decision,
    why,
    by,
    ...(how === undefined ? {} : { how }),
    ...(updatedInput === undefined ? {} : { updatedInput }),
    ...(endsTurn === undefined ? {} : { endsTurn }),
  };
}
