import { homedir } from 'node:os';
import type { HookAnswer, HookPayload } from '../../contract/hooks.ts';
import type { Core } from '../core.ts';
import { entrypointOf, isHeadless } from '../hooks/entrypoint.ts';
import type { Responder, TakenHook } from '../hooks/intake.ts';
import { clip } from '../sessions/clip.ts';
import type { RulesIo, ToolCall } from './call-facts.ts';
import { decide, type RuleVerdict } from './decide.ts';
import { type Policies, strictest } from './policies.ts';
import type { Rules } from './rules.ts';

/** These are questions to a person: a rule may refuse them, but not answer for the person. */
const QUESTIONS = new Set(['AskUserQuestion', 'ExitPlanMode']);

export interface RespondOptions {
  core: Core;
  rules: Rules;
  policies: Policies;
  io: RulesIo;
  now: () => number;
  /** Told of a call that no rule had a say in and that the client may therefore run. */
  onUnruled: (payload: HookPayload, call: ToolCall) => void;
  onError: (error: unknown) => void;
}

/** Rules decide first: before the client's own, and again when it asks for a permission. */
export function respondByRules(options: RespondOptions): Responder {
  return async (hook) => {
    const { payload } = hook;
    const { hook_event_name: event } = payload;
    if (event !== 'PreToolUse' && event !== 'PermissionRequest') return undefined;
    const call = toCall(payload, options);
    const verdict = judge(call, options);
    const isQuestion = QUESTIONS.has(call.toolName);
    if (verdict.decision === 'none')
      return event === 'PreToolUse' && !isQuestion ? byPolicy(hook, call, options) : undefined;
    if (isQuestion && verdict.decision !== 'deny') return undefined;
    if (verdict.decision === 'ask') {
      hook.askedBy = verdict.rule?.id;
      if (event === 'PreToolUse') return askFirst(hook, verdict.why, options);
      // the question is being asked already: the operator's turn
      return undefined;
    }
    const isRecorded = hook.isWritten && (await recordApplied(call, verdict, options));
    // what leaves no trace is not allowed by us: the client decides as if there were no rule
    if (verdict.decision === 'allow' && !isRecorded) return undefined;
    return toAnswer(event, verdict.decision, verdict.decision === 'deny' ? denial(verdict) : verdict.why);
  };
}

/** A call that makes the rules fail must not slip past them: the person is asked. */
function judge(call: ToolCall, { rules, io, onError }: RespondOptions): RuleVerdict {
  try {
    return decide(call, rules.compiled, io);
  } catch (error) {
    onError(error);
    return { decision: 'ask', why: 'Asked: the rules could not be applied to this call.' };
  }
}

/** `claude -p` takes "ask" for a denial, so there we ask ourselves, before the call. */
function askFirst(hook: TakenHook, why: string, { core }: RespondOptions): HookAnswer | undefined {
  if (!hook.isWritten || !isHeadless(entrypointOf(hook, core.live))) return toAnswer('PreToolUse', 'ask', why);
  hook.mustAsk = why;
  return undefined;
}

function byPolicy(hook: TakenHook, call: ToolCall, options: RespondOptions): HookAnswer | undefined {
  const { policies, onUnruled } = options;
  const { payload, isWritten } = hook;
  const policy = strictest([policies.for(call.project ?? call.cwd), policies.for(call.startedIn)]);
  if (policy === 'observe') {
    if (isWritten) onUnruled(payload, call);
    return undefined;
  }
  const why = `No rule covers this call, and the policy of this project is to ${policy}.`;
  return policy === 'ask' ? askFirst(hook, why, options) : toAnswer('PreToolUse', policy, why);
}

function toCall(payload: HookPayload, { core, now }: RespondOptions): ToolCall {
  const session = core.live.get(payload.session_id);
  const input = payload.tool_input;
  return {
    toolName: typeof payload.tool_name === 'string' ? payload.tool_name : '',
    toolInput:
      typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as Record<string, unknown>) : {},
    cwd: typeof payload.cwd === 'string' ? payload.cwd : (session?.cwd ?? undefined),
    home: homedir(),
    sessionId: payload.session_id,
    project: session?.root ?? undefined,
    startedIn: session?.startedIn ?? undefined,
    now: now(),
  };
}

/** Whether it is on the record. */
async function recordApplied(
  call: ToolCall,
  { decision, rule, why }: RuleVerdict,
  { core, onError }: RespondOptions,
): Promise<boolean> {
  const payload = {
    by: 'rule',
    decision,
    ruleId: rule?.id,
    toolName: call.toolName,
    toolInput: clip(call.toolInput),
    why,
  };
  const draft = { sessionId: call.sessionId ?? '', source: 'control' as const, name: 'rule.applied', payload };
  return core.record(draft).then(
    () => true,
    (error) => {
      onError(error);
      return false;
    },
  );
}

const denial = ({ rule, why }: RuleVerdict) => rule?.reason || why;

function toAnswer(
  event: 'PreToolUse' | 'PermissionRequest',
  decision: 'allow' | 'deny' | 'ask',
  reason: string,
): HookAnswer {
  if (event === 'PreToolUse') {
    return {
      hookSpecificOutput: { hookEventName: event, permissionDecision: decision, permissionDecisionReason: reason },
    };
  }
  const answer = decision === 'allow' ? { behavior: 'allow' } : { behavior: 'deny', message: reason, interrupt: false };
  return { hookSpecificOutput: { hookEventName: event, decision: answer } };
}
