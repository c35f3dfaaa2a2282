import {
  type AgentEvent,
  type BackgroundWork,
  type EventCall,
  MAIN_ACTOR,
  type SessionFacts,
} from '../../../contract/agent-events.ts';
import type { ApprovalKind } from '../../../contract/approvals.ts';
import type { HookPayload } from '../../../contract/hooks.ts';
import { isRecord, textOf as text } from '../../../contract/values.ts';

/**
 * Translates a Claude Code hook into agent events. Pure and total: an unknown hook shows that the agent is alive. One hook may mean two
 * things: a tool that asks the operator something is a call and a question.
 */
export function translateHook(hook: HookPayload): AgentEvent[] {
  const common = commonOf(hook);
  switch (hook.hook_event_name) {
    case 'SessionStart':
      // It also fires when a compaction is done, and then doesn't say who asked for it.
      if (hook.source === 'compact') return [{ type: 'context.compacted', ...common }];
      return [{ type: 'session.started', ...common, reason: text(hook.source) || 'startup' }];
    case 'SessionEnd':
      return [{ type: 'session.ended', ...common, reason: text(hook.reason) || 'other' }];
    case 'UserPromptSubmit':
      return [{ type: 'turn.started', ...common, prompt: text(hook.prompt), by: promptedBy(hook) }];
    case 'Stop':
      return [{ type: 'turn.ended', ...common, outcome: { kind: 'completed' }, background: backgroundOf(hook) }];
    case 'StopFailure': {
      const outcome = { kind: 'failed' as const, error: text(hook.error), details: hook.error_details };
      return [{ type: 'turn.ended', ...common, outcome }];
    }
    case 'PreToolUse': {
      const call = callOf(hook);
      const kind = askKindOf(call.name);
      if (kind === 'permission') return [{ type: 'tool.started', ...common, call }];
      const hasDialog = common.actor.id === MAIN_ACTOR;
      return [
        { type: 'tool.started', ...common, call },
        { type: 'ask.raised', ...common, kind, call, hasDialog },
      ];
    }
    case 'PermissionRequest': {
      const call = callOf(hook);
      // The client shows a background subagent's dialog only after our hook has returned.
      const hasDialog = common.actor.id === MAIN_ACTOR;
      return [{ type: 'ask.raised', ...common, kind: askKindOf(call.name), call, hasDialog }];
    }
    case 'PostToolUse':
      return [{ type: 'tool.ended', ...common, call: callOf(hook), output: hook.tool_response, ...durationOf(hook) }];
    case 'PostToolUseFailure': {
      const interrupted = hook.is_interrupt === true;
      return [
        { type: 'tool.failed', ...common, call: callOf(hook), error: hook.error, interrupted, ...durationOf(hook) },
      ];
    }
    case 'PermissionDenied':
      return [{ type: 'tool.denied', ...common, call: callOf(hook), ...named('reason', hook.reason) }];
    case 'PostToolBatch':
      return [{ type: 'tool.batch_ended', ...common }];
    case 'Elicitation':
      return [
        {
          type: 'ask.raised',
          ...common,
          kind: 'elicitation',
          ...named('server', hook.mcp_server_name),
          ...named('message', hook.message),
          ...named('url', hook.url),
          hasDialog: false,
        },
      ];
    case 'ElicitationResult':
      return [{ type: 'ask.settled', ...common, kind: 'elicitation', ...named('server', hook.mcp_server_name) }];
    case 'SubagentStart':
      return [{ type: 'subagent.started', ...common }];
    case 'SubagentStop':
      return [{ type: 'subagent.ended', ...common }];
    case 'TeammateIdle': {
      const name = text(hook.teammate_name);
      const id = text(hook.agent_id) || `${name}@${text(hook.team_name)}`;
      return [{ type: 'subagent.idle', ...common, actor: { ...common.actor, id }, name }];
    }
    case 'TaskCreated':
      return [{ type: 'task.created', ...common, task: taskOf(hook) }];
    case 'TaskCompleted':
      return [{ type: 'task.completed', ...common, task: taskOf(hook) }];
    case 'PreCompact':
      return [{ type: 'context.compacting', ...common, trigger: triggerOf(hook) }];
    case 'PostCompact':
      return [{ type: 'context.compacted', ...common, trigger: triggerOf(hook) }];
    case 'PostModelSwitch':
      return [{ type: 'model.changed', ...common, model: text(hook.to_model) }];
    case 'CwdChanged':
      return [{ type: 'cwd.changed', ...common, cwd: text(hook.new_cwd) }];
    case 'Notification':
      return [
        {
          type: 'notice',
          ...common,
          kind: NOTICES[text(hook.notification_type)] ?? 'other',
          ...named('message', hook.message),
        },
      ];
    default:
      return [{ type: 'notice', ...common, kind: 'other' }];
  }
}

/** The call that ran, if the hook says so. Cheaper than a translation, since every hook is checked. */
export function endedCallOf({ hook_event_name: event, tool_use_id: id }: HookPayload): string | undefined {
  return event === 'PostToolUse' || event === 'PostToolUseFailure' ? text(id) || undefined : undefined;
}

const NOTICES: Record<string, 'needs_permission' | 'needs_input' | 'idle'> = {
  permission_prompt: 'needs_permission',
  idle_prompt: 'idle',
  elicitation_dialog: 'needs_input',
  agent_needs_input: 'needs_input',
};

/** Two tools are questions to the operator. Their permission request is the same question, not another one. */
function askKindOf(tool: string): ApprovalKind {
  if (tool === 'AskUserQuestion') return 'question';
  return tool === 'ExitPlanMode' ? 'plan' : 'permission';
}

/** Every hook has these, so they are set one by one: spreading small objects was most of a translation's cost. */
function commonOf(hook: HookPayload): Common {
  const { agent_id: agentId, agent_type: type, prompt_id: turnId } = hook;
  const common: Common = { actor: text(agentId) ? { id: text(agentId) } : { id: MAIN_ACTOR }, facts: factsOf(hook) };
  if (text(type)) common.actor.type = text(type);
  if (text(turnId)) common.turnId = text(turnId);
  return common;
}

type Common = Pick<AgentEvent, 'actor' | 'turnId'> & { facts: SessionFacts };

function factsOf(hook: HookPayload): SessionFacts {
  const facts: SessionFacts = {};
  // A subagent may work in its own folder (a worktree); the session stays where its main agent is.
  if (text(hook.cwd) && !text(hook.agent_id)) facts.cwd = text(hook.cwd);
  if (text(hook.permission_mode)) facts.permissionMode = text(hook.permission_mode);
  if (text(hook.session_title)) facts.title = text(hook.session_title);
  if (text(hook.transcript_path)) facts.transcriptPath = text(hook.transcript_path);
  if (text(hook.model) && hook.hook_event_name === 'SessionStart') facts.model = text(hook.model);
  return facts;
}

function callOf({ tool_use_id: id, tool_name: name, tool_input: input }: HookPayload): EventCall {
  return text(id) ? { id: text(id), name: text(name), input } : { name: text(name), input };
}

/** The client also submits prompts on its own: a finished background task, a timer. */
function promptedBy({ source, prompt }: HookPayload): 'operator' | 'agent' {
  const isOperators = text(source)
    ? source === 'user' || source === 'sdk'
    : !text(prompt).startsWith('<task-notification>');
  return isOperators ? 'operator' : 'agent';
}

function backgroundOf({ background_tasks: tasks }: HookPayload): BackgroundWork[] {
  if (!Array.isArray(tasks)) return [];
  return tasks
    .filter(isRecord)
    .map(({ type, agent_type, command, description }) =>
      type === 'subagent'
        ? { kind: 'subagent', label: text(agent_type) || 'background' }
        : { kind: 'other', label: text(command) || text(description) || text(type) },
    );
}

const taskOf = ({ task_id: id, task_subject: title }: HookPayload) => ({ id: text(id), title: text(title) });

const triggerOf = ({ trigger }: HookPayload) => (trigger === 'auto' ? 'auto' : 'manual');

function durationOf({ duration_ms: durationMs }: HookPayload): { durationMs?: number } {
  return typeof durationMs === 'number' ? { durationMs } : {};
}

/** The field, if the client sent text for it. */
function named<K extends string>(key: K, value: unknown): { [key in K]?: string } {
  return (typeof value === 'string' && value ? { [key]: value } : {}) as { [key in K]?: string };
}
