import type { HookAnswer, HookPayload } from '../../../../contract/hooks.ts';
import type { Refusal } from '../../driver.ts';
import type { Responder } from '../intake/intake.ts';

/**
 * The answer that ends the turn, event by event, as the client takes it. Undefined: nothing that can be said to this event
 * ends anything (the client ignores what is said to PostToolUseFailure).
 */
export function refuseHook(
  { hook_event_name: event, prompt }: HookPayload,
  { message, endsTurn }: Refusal,
): HookAnswer | undefined {
  const end = endsTurn ? { continue: false, stopReason: message } : undefined;
  switch (event) {
    case 'PreToolUse':
      // alone, the first lets this tool run before the turn ends, and the second lets the turn go on
      return { ...end, ...specific(event, { permissionDecision: 'deny', permissionDecisionReason: message }) };
    case 'PostToolUse':
    case 'PostToolBatch':
      return end;
    case 'Stop':
    case 'SubagentStop':
      // it ends already; this outranks another hook that would send it on
      return end;
    case 'PermissionRequest':
      return specific(event, { decision: { behavior: 'deny', message, interrupt: endsTurn } });
    case 'Elicitation':
      return specific(event, { action: 'cancel' });
    case 'UserPromptSubmit': {
      // what the client itself submits (a task has ended) is long and means nothing to the person
      const isOwn = typeof prompt === 'string' && prompt.startsWith('<task-notification>');
      return {
        decision: 'block',
        reason: message,
        ...(isOwn ? specific(event, { suppressOriginalPrompt: true }) : {}),
      };
    }
    default:
      return undefined;
  }
}

/** Ends a turn wherever the client lets us: also at hooks that ask for nothing. */
export function refuseHooks(
  refusal: (call: { sessionId: string; agentId?: string | undefined; origin: 'hook' }) => Refusal | undefined,
): Responder {
  return ({ payload }) => {
    if (!canRefuse(payload)) return undefined;
    const agentId = typeof payload.agent_id === 'string' && payload.agent_id ? payload.agent_id : undefined;
    const refused = refusal({ sessionId: payload.session_id, agentId, origin: 'hook' });
    return refused && refuseHook(payload, refused);
  };
}

/** Whether an answer to this event can end a turn. */
function canRefuse(payload: HookPayload): boolean {
  return refuseHook(payload, { message: '', endsTurn: true }) !== undefined;
}

function specific(hookEventName: string, output: Record<string, unknown>): HookAnswer {
  return { hookSpecificOutput: { hookEventName, ...output } };
}
