import type { HookCallback, HookCallbackMatcher, HookEvent, HookInput } from '@anthropic-ai/claude-agent-sdk';
import type { HookPayload } from '../../contract/hooks.ts';
import type { DriverHost } from '../driver.ts';
import { kindOf } from './permissions.ts';

/** A person may answer the next morning, and a callback that has timed out is passed over silently. */
const PATIENCE_SECONDS = 7 * 86_400;

/** What is reported as it comes. Those that change what the client does by being there are left out, and those it asks us otherwise. */
const REPORTED = [
  'SessionEnd',
  'UserPromptSubmit',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionDenied',
  'Notification',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
  'PreCompact',
  'PostCompact',
  'PostModelSwitch',
  'CwdChanged',
] as const satisfies HookEvent[];

/**
 * The client's own events, by its callbacks. They are the same as the hooks of a terminal's client, so the daemon reads both alike; but
 * these come through our spool, and none is lost while the daemon is away.
 */
export function clientHooks(host: DriverHost): Partial<Record<HookEvent, HookCallbackMatcher[]>> {
  const register = (callback: HookCallback): HookCallbackMatcher[] => [
    { hooks: [callback], timeout: PATIENCE_SECONDS },
  ];
  const report = (input: HookInput) => host.report({ kind: 'client', payload: input as unknown as HookPayload });
  const reported = register(async (input) => {
    report(input);
    return {};
  });
  return {
    ...Object.fromEntries(REPORTED.map((event) => [event, reported])),
    UserPromptSubmit: register(async (input, _, { signal }) => {
      report(input);
      if (await host.budget.admits(signal)) return {};
      return { decision: 'block', reason: "The operator didn't extend this session's budget." };
    }),
    PreToolUse: register(async (input, _, { signal }) => {
      if (input.hook_event_name !== 'PreToolUse') return {};
      report(input);
      return judge(host, input, signal);
    }),
    // every call of the turn so far is done, and the next request to the model has not begun
    PostToolBatch: register(async (input, _, { signal }) => {
      report(input);
      if (await host.budget.admits(signal)) return {};
      return { continue: false, stopReason: "The operator didn't extend this session's budget." };
    }),
  };
}

/** Rules apply to every call, also to those that the client would let pass by its own settings. */
async function judge(
  host: DriverHost,
  input: Extract<HookInput, { hook_event_name: 'PreToolUse' }>,
  signal: AbortSignal,
) {
  const { tool_name: toolName, tool_input, tool_use_id: toolUseId, agent_id, cwd } = input;
  const toolInput = (tool_input ?? {}) as Record<string, unknown>;
  const verdict = await host.precheck(
    {
      kind: kindOf(toolName),
      toolName,
      toolInput,
      toolUseId,
      ...(agent_id === undefined ? {} : { actorId: agent_id }),
      ...(cwd === undefined ? {} : { cwd }),
    },
    signal,
  );
  if (verdict.decision === 'none') return {};
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse' as const,
      permissionDecision: verdict.decision,
      permissionDecisionReason: verdict.why,
    },
    ...(verdict.endsTurn ? { continue: false, stopReason: verdict.why } : {}),
  };
}
