import type { HookAnswer, HookPayload } from '../../../../contract/hooks.ts';
import type { Refusal } from '../../driver.ts';
import type { Responder } from '../intake/intake.ts';

/**
 * The answer that ends the turn, for each event, in the client's format. undefined: no answer to this event ends anything (the client
 * ignores answers to PostToolUseFailure).
 */
export function refuseHook(
  { hook_event_name: event, prompt }: HookPayload,
  { message, endsTurn }: Refusal,
): HookAnswer | undefined {
  const end = endsTurn ? { continue: false, stopReason: message } : undefined;
  switch (event) {
    case 'PreToolUse':
      // The first alone lets this tool run before the turn ends; the second alone lets the turn continue.
      return { ...end, ...specific(event, { permissionDecision: 'deny', permissionDecisionReason: message }) };
    case 'PostToolUse':
    case 'PostToolBatch':
      return end;
    case 'Stop':
    case 'SubagentStop':
      // It is already ending; this overrides another hook that would continue it.
      return end;
    case 'PermissionRequest':
      return specific(event, { decision: { behavior: 'deny', message, interrupt: endsTurn } });
    case 'Elicitation':
      return specific(event, { action: 'cancel' });
    case 'UserPromptSubmit': {
      // What the client itself submits (a task ended) is long and means nothing to a person.
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

/** Ends a turn wherever the client allows it, including at hooks that ask for nothing. */
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
