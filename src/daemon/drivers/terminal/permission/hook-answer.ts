import type { HookAnswer, HookPayload } from '../../../../contract/hooks.ts';
import type { PermissionCall, Verdict } from '../../../permissions/judge.ts';
import { refuseHook } from '../stop/refuse-hook.ts';

/** The verdict in the client's format. undefined: the client decides on its own. */
export function toHookAnswer(payload: HookPayload, call: PermissionCall, verdict: Verdict): HookAnswer | undefined {
  if (verdict.decision === 'none') return undefined;
  if (verdict.by === 'stop') return refuseHook(payload, { message: verdict.why, endsTurn: verdict.endsTurn ?? false });
  const { hook_event_name: hookEventName } = payload;
  const message = verdict.rule?.reason || verdict.why;
  switch (hookEventName) {
    case 'PreToolUse':
      return {
        ...(verdict.endsTurn ? { continue: false, stopReason: message } : {}),
        ...specific(hookEventName, {
          permissionDecision: verdict.decision,
          permissionDecisionReason: verdict.decision === 'deny' ? message : verdict.why,
          ...(verdict.updatedInput ? { updatedInput: verdict.updatedInput } : {}),
        }),
      };
    case 'PermissionRequest':
      return specific(hookEventName, {
        decision:
          verdict.decision === 'deny'
            ? { behavior: 'deny', message, interrupt: verdict.endsTurn ?? false }
            : allow(call, verdict),
      });
    default: {
      const { decision, updatedInput = {} } = verdict;
      return specific(
        hookEventName,
        decision === 'allow' ? { action: 'accept', content: updatedInput } : { action: 'decline' },
      );
    }
  }
}

function allow({ kind, toolInput }: PermissionCall, { updatedInput }: Verdict): Record<string, unknown> {
  // Without an updatedInput, the client keeps showing the plan dialog.
  const input = updatedInput ?? (kind === 'plan' ? toolInput : undefined);
  return { behavior: 'allow', ...(input ? { updatedInput: input } : {}) };
}

function specific(hookEventName: string, output: Record<string, unknown>): HookAnswer {
  return { hookSpecificOutput: { hookEventName, ...output } };
}

const HOW_TO_ALLOW =
  'To allow it, the operator can answer the request in Ground Control while it waits (with a page open, or in away mode: ' +
  'gctl away on), or change the rule (gctl rules).';

/** Without a terminal, the client treats `ask` as a denial and passes the reason to the model as is. */
export function denyUnanswered(why: string): HookAnswer {
  const permissionDecisionReason = `${why} Nobody answered, so the call is denied. ${HOW_TO_ALLOW}`;
  return specific('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason });
}
