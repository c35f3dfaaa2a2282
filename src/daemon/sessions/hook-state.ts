import type { HookPayload } from '../../contract/hooks.ts';
import type { AgentState } from '../../contract/sessions.ts';
import { activityLabel } from './activity-label.ts';
import { clipRecord, cutLine } from './clip.ts';

export const COMPACTING = 'Compacting context...';

/**
 * The table: which state an event puts its actor in. Undefined: the event tells us something (a model, a folder, a
 * task), but not about the state. An event that we do not know is such an event.
 */
export function stateFromHook(hook: HookPayload): AgentState | undefined {
  const tool = text(hook.tool_name) || 'tool';
  switch (hook.hook_event_name) {
    case 'SessionStart':
      return hook.source === 'compact' ? thinking(COMPACTING) : idle('Waiting for first prompt');
    case 'UserPromptSubmit':
      return thinking('Processing prompt...');
    case 'PreToolUse':
      return beforeTool(tool, hook);
    case 'PermissionRequest':
      return asksOperator(tool, hook) ?? needsYou('needs_permission', `Needs permission: ${tool}`, hook.tool_input);
    case 'PostToolUse':
    case 'PostToolBatch':
    case 'ElicitationResult':
      return thinking('Thinking...');
    case 'PermissionDenied':
      return { ...thinking(`Denied: ${tool}`), ...context({ reason: hook.reason }) };
    case 'PostToolUseFailure':
      return hook.is_interrupt === true
        ? needsYou('interrupted', `You interrupted ${tool}`)
        : needsYou('error', `Failed: ${tool}`, { error: hook.error });
    case 'Stop':
      return afterStop(hook);
    case 'StopFailure':
      return needsYou('error', `Failed: ${text(hook.error) || 'the model request'}`, {
        error: hook.error,
        details: hook.error_details,
      });
    case 'Notification':
      return fromNotification(hook);
    case 'Elicitation':
      return needsYou('awaiting_input', cutLine(text(hook.message) || 'Asked you for input', 80), {
        server: hook.mcp_server_name,
        message: hook.message,
        url: hook.url,
      });
    case 'SubagentStart':
      return working('delegating', `Running ${agentType(hook)} agent`);
    case 'SubagentStop':
      return working('acting', `${agentType(hook)} agent finished`);
    case 'TeammateIdle':
      return working('delegating', `Teammate ${text(hook.teammate_name)} idle`);
    case 'TaskCompleted':
      return {
        group: 'delivered',
        state: 'task_complete',
        label: cutLine(text(hook.task_subject) || 'Task completed', 80),
      };
    case 'PreCompact':
      return thinking(hook.trigger === 'auto' ? 'Auto-compacting context...' : COMPACTING);
    case 'PostCompact':
      // an automatic compaction happens inside a turn, which goes on; a manual one is over
      return hook.trigger === 'auto' ? thinking('Context compacted') : idle('Context compacted');
    case 'SessionEnd':
      return { group: 'delivered', state: 'session_ended', label: 'Session closed' };
    default:
      return undefined;
  }
}

function beforeTool(tool: string, hook: HookPayload): AgentState {
  const asking = asksOperator(tool, hook);
  if (asking) return asking;
  if (tool === 'EnterPlanMode') return thinking('Entering plan mode...');
  const input = clipRecord(hook.tool_input) ?? {};
  return { ...working('acting', activityLabel(tool, input)), context: input };
}

/** Two tools are questions to the operator. Their permission request is the same question again, not another one. */
function asksOperator(tool: string, hook: HookPayload): AgentState | undefined {
  if (tool === 'AskUserQuestion') return needsYou('awaiting_input', 'Asked you a question', hook.tool_input);
  if (tool === 'ExitPlanMode') return needsYou('awaiting_approval', 'Plan ready for review', hook.tool_input);
  return undefined;
}

interface BackgroundTask {
  type?: unknown;
  agent_type?: unknown;
  command?: unknown;
  description?: unknown;
}

function afterStop(hook: HookPayload): AgentState {
  const tasks = (Array.isArray(hook.background_tasks) ? hook.background_tasks : []) as BackgroundTask[];
  const [first] = tasks;
  if (!first) return idle('Waiting for your next prompt');
  if (tasks.length > 1) return working('delegating', `Waiting for ${tasks.length} background tasks`);
  if (first.type === 'subagent')
    return working('delegating', `Running ${text(first.agent_type) || 'background'} agent`);
  return working(
    'delegating',
    `In the background: ${cutLine(text(first.command) || text(first.description) || text(first.type), 60)}`,
  );
}

function fromNotification(hook: HookPayload): AgentState | undefined {
  switch (hook.notification_type) {
    case 'permission_prompt':
      return { ...needsYou('needs_permission', 'Needs permission'), onlyInTerminal: true };
    case 'idle_prompt':
      return idle('Session idle');
    case 'elicitation_dialog':
    case 'agent_needs_input':
      return {
        ...needsYou('awaiting_input', cutLine(text(hook.message) || 'Asked you for input', 80)),
        onlyInTerminal: true,
      };
    default:
      return undefined;
  }
}

const agentType = (hook: HookPayload) => text(hook.agent_type) || 'background';

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export const idle = (label: string) => needsYou('idle', label);

export const thinking = (label: string) => working('thinking', label);

export function working(state: string, label: string): AgentState {
  return { group: 'autonomous', state, label };
}

export function needsYou(state: string, label: string, details?: unknown): AgentState {
  return { group: 'needs_you', state, label, ...context(details) };
}

function context(details: unknown): { context?: Record<string, unknown> } {
  const clipped = clipRecord(details);
  return clipped ? { context: clipped } : {};
}
