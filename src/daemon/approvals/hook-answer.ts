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
