import { homedir } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { Approval, ApprovalKind } from '../../contract/approvals.ts';
import type { Alongside, Approvals } from '../approvals/approvals.ts';
import type { Ask } from '../approvals/ask.ts';
import { denialText } from '../approvals/delivery-proof.ts';
import type { Core } from '../core.ts';
import type { Refusal } from '../drivers/driver.ts';
import { DomainError } from '../errors.ts';
import { isWithin } from '../is-within.ts';
import type { CallToJudge, RulesIo } from '../rules/call-facts.ts';
import type { JudgedRule } from '../rules/compile-rule.ts';
import { decide } from '../rules/decide.ts';
import { type Policies, strictest } from '../rules/policies.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { Rules } from '../rules/rules.ts';
import type { RaisedAsk } from '../sessions/ask-events.ts';
import { clip } from '../sessions/clip.ts';

/** Questions to a person: a rule may deny them, but never answers for the person. */
const QUESTIONS = new Set(['AskUserQuestion', 'ExitPlanMode']);

/** What an agent wants to do, no matter how it asks. */
export interface PermissionCall {
  origin: Approval['origin'];
  sessionId: string;
  agentId?: string | undefined;
  kind: ApprovalKind;
  toolUseId?: string | undefined;
  toolName: string;
  toolInput: Record<string, unknown>;
  /** Default: the session's own. */
  cwd?: string | undefined;
}

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

export interface JudgeOptions {
  core: Core;
  rules: Rules;
  policies: Policies;
  approvals: Approvals;
  /** Why a session's calls are refused: it is being stopped. */
  refusal: (call: Pick<PermissionCall, 'origin' | 'sessionId' | 'agentId'>) => Refusal | undefined;
  io: RulesIo;
  now: () => number;
  /** Why the operator isn't asked: nobody is there, and the agent must not wait in vain. */
  declines: (ask: Ask) => string | undefined;
  onAsked: (toolUseId: string | undefined) => void;
  onError: (error: unknown) => void;
}

/** Whether the call is in the journal. With a full disk, nothing is allowed and nobody is asked, but denials apply. */
export interface Recorded {
  isWritten: boolean;
}

/**
 * The one pipeline for every call, no matter who asks: is the session being stopped, what do the rules say, what is the project's policy,
 * what does the operator say.
 */
export class Judge {
  readonly #options: JudgeOptions;

  constructor(options: JudgeOptions) {
    this.#options = options;
  }

  /** Everything that can be decided without a person. */
  async precheck(call: PermissionCall, { isWritten }: Recorded): Promise<Verdict> {
    const verdict = this.#weigh(call);
    if (!isFinal(verdict) || verdict.by === 'stop') return verdict;
    const isRecorded = isWritten && (await this.#recordApplied(call, verdict));
    // Don't allow without a record: the agent's own permissions decide.
    if (verdict.decision === 'allow' && !isRecorded)
      return { decision: 'none', by: 'nobody', why: 'The journal cannot be written.' };
    return verdict;
  }

  /** The whole pipeline: if nothing else decides, the operator does. Aborting the signal gives up the wait, not the question. */
  async judge(
    call: PermissionCall,
    question: () => Promise<Ask>,
    { signal, ...recorded }: Recorded & { signal: AbortSignal },
  ): Promise<Verdict> {
    const verdict = await this.precheck(call, recorded);
    if (isFinal(verdict)) return verdict;
    if (!recorded.isWritten) return { ...verdict, decision: 'none' };
    return this.#ask({ ...(await question()), ruleId: verdict.rule?.id }, signal);
  }

  async #ask(ask: Ask, signal: AbortSignal): Promise<Verdict> {
    const { approvals, declines, onAsked } = this.#options;
    const declined = approvals.byCorrelation(ask) ? undefined : declines(ask);
    if (declined !== undefined) return verdictOf(await approvals.pass(ask, declined));
    onAsked(ask.toolUseId);
    if (ask.holdsCall) await this.#raise(ask);
    const { id } = await approvals.ask(ask);
    return verdictOf(await approvals.wait(id, { signal }));
  }

  /** Before asking about a call we hold ourselves: if the session's call isn't waiting, it counts as answered elsewhere. */
  async #raise({ sessionId, agentId, toolUseId, toolName, toolInput }: Ask): Promise<void> {
    if (!toolUseId) return;
    const payload: RaisedAsk = { agentId, toolUseId, toolName, toolInput: clip(toolInput) };
    await this.#options.core.record({ sessionId, source: 'control', name: 'ask.raised', payload: { ...payload } });
  }

  /**
   * For a program that fetches its answer later: always an approval, already settled if nobody has to be asked. Asking again with the same
   * correlation id returns the first answer.
   */
  async open(call: PermissionCall, ask: Ask): Promise<Approval> {
    const { approvals } = this.#options;
    const known = approvals.byCorrelation(ask);
    if (known) return sameCall(known, ask);
    const verdict = this.#weigh(call);
    if (!isFinal(verdict)) return approvals.ask({ ...ask, ruleId: verdict.rule?.id });
    const { decision, by, rule, why } = verdict;
    const message = decision === 'deny' ? { message: rule?.reason || why } : {};
    return approvals.decided(ask, { decision, by, reason: why, ...(rule ? { ruleId: rule.id } : {}), ...message });
  }

  /** Pending permissions the current rules decide, although a person was asked: the rules were different then. */
  decidedBy(rules: RuleSet): Alongside['byRule'] {
    return [...this.#options.approvals.undecided()].flatMap((approval) => {
      const { kind, agentId, cwd, held, sessionId } = approval;
      const isStopping = this.#options.core.live.get(sessionId)?.stop?.state === 'stopping';
      // A decision that can still be undone is the operator's. And for a subagent, only its call has the folder.
      if (kind !== 'permission' || held || isStopping || (agentId !== undefined && cwd === undefined)) return [];
      if (QUESTIONS.has(approval.toolName)) return [];
      const { decision, rule, why } = this.#byRules(this.toolCall(approval), rules);
      if ((decision !== 'allow' && decision !== 'deny') || !rule) return [];
      const message = decision === 'deny' ? { message: rule.reason || why } : {};
      return [{ approval, decision: { decision, ruleId: rule.id, reason: why, ...message } }];
    });
  }

  /** Settles what the current rules decide. */
  async settleDecided(): Promise<void> {
    const { approvals, rules } = this.#options;
    await approvals.decideByRule(this.decidedBy(rules.compiled));
  }

  #weigh(call: PermissionCall): Verdict {
    const refusal = this.#options.refusal(call);
    if (refusal) return { decision: 'deny', by: 'stop', why: refusal.message, endsTurn: refusal.endsTurn };
    if (call.kind === 'elicitation') return { decision: 'none', by: 'nobody', why: 'Rules only apply to tool calls.' };
    const toolCall = this.toolCall(call);
    const verdict = this.#byRules(toolCall);
    const isQuestion = QUESTIONS.has(call.toolName);
    if (isQuestion && verdict.decision !== 'deny') return { ...verdict, decision: 'none', by: 'nobody' };
    return verdict.decision === 'none' ? this.#byPolicy(toolCall, verdict.why) : verdict;
  }

  /** A call that makes the rules fail must not get past them, so the operator is asked. */
  #byRules(call: CallToJudge, rules: RuleSet = this.#options.rules.compiled): Verdict {
    const { io, onError } = this.#options;
    try {
      const { decision, rule, why } = decide(call, rules, io);
      return { decision, by: decision === 'none' ? 'nobody' : 'rule', rule, why };
    } catch (error) {
      onError(error);
      return { decision: 'ask', by: 'rule', why: "Asked: the rules couldn't be applied to this call." };
    }
  }

  #byPolicy({ project, checkout, cwd, startedIn }: CallToJudge, noRule: string): Verdict {
    const { policies } = this.#options;
    const here = policies.for(project ?? cwd);
    // A worktree has its repository's policy, unless it has its own.
    const isInWorktree = startedIn !== undefined && checkout !== undefined && isWithin(startedIn, checkout);
    const atStart = policies.nearest(startedIn) ?? (isInWorktree ? here : policies.for(undefined));
    const policy = strictest([here, atStart]);
    if (policy === 'observe') return { decision: 'none', by: 'nobody', why: noRule };
    const why = `No rule covers this call, and this project's policy is to ${policy}.`;
    return { decision: policy, by: 'policy', why };
  }

  /** The call as rules see it, with what is known about its session. */
  toolCall({ sessionId, toolName, toolInput, cwd }: Omit<PermissionCall, 'kind' | 'origin'>): CallToJudge {
    const { core, now } = this.#options;
    const session = core.live.get(sessionId);
    return {
      toolName,
      toolInput,
      cwd: cwd ?? session?.cwd ?? undefined,
      home: homedir(),
      sessionId,
      project: session?.root ?? undefined,
      checkout: session?.checkout ?? undefined,
      startedIn: session?.startedIn ?? undefined,
      now: now(),
    };
  }

  /** Whether it is recorded. */
  async #recordApplied(
    { sessionId, toolUseId, toolName, toolInput }: PermissionCall,
    verdict: Verdict,
  ): Promise<boolean> {
    const { core, onError } = this.#options;
    const { decision, by, rule, why } = verdict;
    if (by !== 'rule' && by !== 'policy') return false;
    const payload = { by, decision, ruleId: rule?.id, toolUseId, toolName, toolInput: clip(toolInput), why };
    return core.record({ sessionId, source: 'control', name: `${by}.applied`, payload }).then(
      () => true,
      (error) => {
        onError(error);
        return false;
      },
    );
  }
}

type Final = Verdict & { decision: 'allow' | 'deny' };

function isFinal(verdict: Verdict): verdict is Final {
  return verdict.decision === 'allow' || verdict.decision === 'deny';
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

/** A decision about one call must not be reusable for another through its correlation id. */
function sameCall(known: Approval, { sessionId, toolName, toolInput, correlationId }: Ask): Approval {
  const isSame =
    known.sessionId === sessionId && known.toolName === toolName && isDeepStrictEqual(known.toolInput, toolInput);
  if (isSame) return known;
  throw new DomainError(
    'approval.correlation_reused',
    409,
    `The correlation id ${correlationId} belongs to another call (${known.toolName} in session ${known.sessionId}). Use a new one.`,
  );
}
