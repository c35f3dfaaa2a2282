import type { Approval } from '../../contract/approvals.ts';
import type { HookAnswer } from '../../contract/hooks.ts';

/** The decision in the words that the client understands. Undefined: it was not decided here, the dialog stays. */
export function toHookAnswer({ kind, toolInput, decision }: Approval): HookAnswer | undefined {
  if (!decision) return undefined;
  if (kind === 'elicitation') return elicitationAnswer(decision);
  if (decision.decision === 'deny') {
    const { message = 'The operator said no.', interrupt = false } = decision;
    return permissionAnswer({ behavior: 'deny', message, interrupt });
  }
  if (kind === 'question')
    return permissionAnswer({ behavior: 'allow', updatedInput: { ...toolInput, answers: decision.answers } });
  // without an updatedInput the client keeps the dialog of a plan
  if (kind === 'plan') return permissionAnswer({ behavior: 'allow', updatedInput: decision.updatedInput ?? toolInput });
  return permissionAnswer({
    behavior: 'allow',
    ...(decision.updatedInput ? { updatedInput: decision.updatedInput } : {}),
  });
}

function permissionAnswer(decision: Record<string, unknown>): HookAnswer {
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
}

function elicitationAnswer({ decision, updatedInput }: NonNullable<Approval['decision']>): HookAnswer {
  const action = decision === 'allow' ? { action: 'accept', content: updatedInput ?? {} } : { action: 'decline' };
  return { hookSpecificOutput: { hookEventName: 'Elicitation', ...action } };
}

/** The decision on a call that we held before its client looked at it. Undefined: it was not decided. */
export function toCallAnswer({ decision }: Approval): HookAnswer | undefined {
  if (!decision) return undefined;
  if (decision.decision === 'allow') {
    const { updatedInput } = decision;
    return callAnswer({ permissionDecision: 'allow', ...(updatedInput ? { updatedInput } : {}) });
  }
  const { message = 'The operator said no.', interrupt } = decision;
  const answer = callAnswer({ permissionDecision: 'deny', permissionDecisionReason: message });
  return interrupt ? { ...answer, continue: false, stopReason: message } : answer;
}

/**
 * Nobody decided: "ask" lets the client answer by itself, which without a terminal is a denial with these words for the
 * model and whoever reads its output.
 */
export function leaveCall(why: string): HookAnswer {
  const reason = `${why} Nobody answered, so the call is denied. ${HOW_TO_ALLOW}`;
  return callAnswer({ permissionDecision: 'ask', permissionDecisionReason: reason });
}

const HOW_TO_ALLOW =
  'To allow it, the operator can keep the Ground Control page open or turn on away mode (gctl away on) and answer there, ' +
  'or change the rule (gctl rules).';

function callAnswer(output: Record<string, unknown>): HookAnswer {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...output } };
}
