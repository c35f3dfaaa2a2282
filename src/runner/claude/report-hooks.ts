import type { HookCallback, HookCallbackMatcher, HookEvent, HookInput } from '@anthropic-ai/claude-agent-sdk';
import type { HookPayload } from '../../contract/hooks.ts';
import type { DriverHost } from '../driver.ts';
import { kindOf } from './permissions.ts';

/** The operator may answer the next morning, and the SDK silently skips a callback that timed out. */
const PATIENCE_SECONDS = 7 * 86_400;

/**
 * Events that are reported as they arrive. Leaves out events whose mere registration changes the client's behavior, and those that have
 * their own callback.
 */
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
 * The client's own events, through SDK callbacks. They match the hooks of a client in a terminal, so the daemon reads both the same way.
 * These go through our spool, so none is lost while the daemon is away.
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
    // every call of the turn so far is done, and the next model request hasn't started
    PostToolBatch: register(async (input, _, { signal }) => {
      report(input);
      if (await host.budget.admits(signal)) return {};
      return { continue: false, stopReason: "The operator didn't extend this session's budget." };
    }),
  };
}

/** Rules apply to every call, including those that the client's own settings would allow. */
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
