import type { ApprovalKind } from '../../../../contract/approvals.ts';
import type { HookPayload } from '../../../../contract/hooks.ts';
import { isRecord } from '../../../../contract/values.ts';
import type { Ask } from '../../../approvals/ask.ts';
import type { Judge, PermissionCall } from '../../../permissions/judge.ts';
import type { CallToJudge } from '../../../rules/call-facts.ts';
import type { Responder, TakenHook } from '../intake/intake.ts';
import { denyUnanswered, toHookAnswer } from './hook-answer.ts';

export interface HookPermissionsOptions {
  judge: Judge;
  /** The request as the operator sees it. */
  questionOf: (hook: TakenHook, call: PermissionCall) => Promise<Ask>;
  /** The client treats `ask` as a denial: only we can ask in its place. */
  isHeadless: (hook: TakenHook) => boolean;
  onError: (error: unknown) => void;
  /** Called with the approval whose answer this hook receives. */
  onAnswer: (approvalId: string, hook: TakenHook) => void;
  /** Called for a call that no rule covered and that the client may therefore run. */
  onUnruled: (toolUseId: string, call: CallToJudge) => void;
}

/**
 * Clients ask twice: before a tool runs (answering `ask` makes them show their dialog), and when they show a dialog. Only the second is a
 * question to the operator, except where there is no dialog.
 */
export function answerPermissionHooks(options: HookPermissionsOptions): Responder {
  const { judge, questionOf, isHeadless, onAnswer, onUnruled, onError } = options;
  return async (hook) => {
    const { payload, isWritten, onHangUp } = hook;
    const call = toPermissionCall(payload);
    if (!call) return undefined;
    const judgeWhole = async () => {
      const hungUp = new AbortController();
      onHangUp(() => hungUp.abort());
      const verdict = await judge.judge(call, () => questionOf(hook, call), { isWritten, signal: hungUp.signal });
      if (verdict.approvalId !== undefined) onAnswer(verdict.approvalId, hook);
      return verdict;
    };
    if (payload.hook_event_name === 'PreToolUse') {
      const verdict = await judge.precheck(call, { isWritten });
      if (verdict.decision === 'ask' && isWritten && isHeadless(hook)) {
        const decided = await judgeWhole().catch((error: unknown) => onError(error));
        // A failure to ask must not let the call run.
        return (decided && toHookAnswer(payload, call, decided)) ?? denyUnanswered(verdict.why);
      }
      const { tool_use_id: id } = payload;
      const isUnruled = verdict.decision === 'none' && call.kind === 'permission' && isWritten;
      if (isUnruled && typeof id === 'string') onUnruled(id, judge.toolCall(call));
      return toHookAnswer(payload, call, verdict);
    }
    return toHookAnswer(payload, call, await judgeWhole());
  };
}

/** undefined: this hook asks for nothing. */
export function toPermissionCall(payload: HookPayload): PermissionCall | undefined {
  const kind = kindOf(payload);
  if (!kind) return undefined;
  const { session_id: sessionId, agent_id, tool_use_id, tool_name, tool_input, mcp_server_name, cwd } = payload;
  const toolName = textOr(tool_name) ?? '';
  return {
    origin: 'hook',
    sessionId,
    agentId: textOr(agent_id),
    toolUseId: textOr(tool_use_id),
    kind,
    toolName: kind === 'elicitation' ? `elicitation:${mcp_server_name}` : toolName,
    toolInput: isRecord(tool_input) ? tool_input : {},
    cwd: textOr(cwd),
  };
}

function kindOf({ hook_event_name: event, tool_name: toolName }: HookPayload): ApprovalKind | undefined {
  if (event === 'Elicitation') return 'elicitation';
  if (event !== 'PreToolUse' && event !== 'PermissionRequest') return undefined;
  if (toolName === 'AskUserQuestion') return 'question';
  return toolName === 'ExitPlanMode' ? 'plan' : 'permission';
}

const textOr = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);
