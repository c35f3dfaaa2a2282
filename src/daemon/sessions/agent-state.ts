import type { AgentEvent, BackgroundWork } from '../../contract/agent-events.ts';
import { BUDGET_TOOL } from '../../contract/orchestration.ts';
import type { AgentState } from '../../contract/sessions.ts';
import { activityLabel } from './activity-label.ts';
import { clipRecord, cutLine } from './clip.ts';

export const COMPACTING = 'Compacting context...';

type Raised = Extract<AgentEvent, { type: 'ask.raised' }>;

/** The table: which state an event puts its actor in. undefined: the event carries information (a model, a folder, a task), but no state. */
export function stateFromEvent(event: AgentEvent): AgentState | undefined {
  switch (event.type) {
    case 'session.started':
      return idle('Waiting for first prompt');
    case 'session.ended':
      return { group: 'delivered', state: 'session_ended', label: 'Session closed' };
    case 'turn.started':
      return thinking('Processing prompt...');
    case 'turn.ended':
      return afterTurn(event);
    case 'tool.started':
      return startedTool(event.call.name || 'tool', event.call.input);
    case 'tool.ended':
    case 'tool.batch_ended':
    case 'ask.settled':
      return thinking('Thinking...');
    case 'tool.denied':
      return { ...thinking(`Denied: ${event.call.name || 'tool'}`), ...context({ reason: event.reason }) };
    case 'tool.failed': {
      const tool = event.call.name || 'tool';
      return event.interrupted
        ? needsYou('interrupted', `You interrupted ${tool}`)
        : // the model reads the error and continues: commands fail all the time
          { ...thinking(`Failed: ${tool}`), ...context({ error: event.error }) };
    }
    case 'ask.raised':
      return asked(event);
    case 'subagent.started':
      return working('delegating', `Running ${event.actor.type ?? 'background'} agent`);
    case 'subagent.ended':
      return working('acting', `${event.actor.type ?? 'background'} agent finished`);
    case 'subagent.idle':
      return working('delegating', `Teammate ${event.name} idle`);
    case 'task.completed':
      return { group: 'delivered', state: 'task_complete', label: cutLine(event.task.title || 'Task completed', 80) };
    case 'context.compacting':
      return thinking(event.trigger === 'auto' ? 'Auto-compacting context...' : COMPACTING);
    case 'context.compacted':
      // an automatic compaction happens inside a turn, which continues; a manual one is over
      if (event.trigger === undefined) return thinking(COMPACTING);
      return event.trigger === 'auto' ? thinking('Context compacted') : idle('Context compacted');
    case 'notice':
      return fromNotice(event);
    default:
      return undefined;
  }
}

function startedTool(tool: string, given: unknown): AgentState {
  if (tool === 'EnterPlanMode') return thinking('Entering plan mode...');
  const input = clipRecord(given) ?? {};
  return { ...working('acting', activityLabel(tool, input)), context: input };
}

function asked({ kind, call, server, message, url }: Raised): AgentState {
  switch (kind) {
    case 'question':
      if (call?.name === BUDGET_TOOL) return needsYou('budget_exceeded', 'Would go over its budget', call.input);
      return needsYou('awaiting_input', 'Asked you a question', call?.input);
    case 'plan':
      return needsYou('awaiting_approval', 'Plan ready for review', call?.input);
    case 'elicitation':
      return needsYou('awaiting_input', cutLine(message || 'Asked you for input', 80), { server, message, url });
    default:
      return needsYou('needs_permission', `Needs permission: ${call?.name || 'tool'}`, call?.input);
  }
}

function afterTurn({ outcome, background = [] }: Extract<AgentEvent, { type: 'turn.ended' }>): AgentState {
  if (outcome.kind === 'interrupted') return needsYou('interrupted', outcome.reason ?? 'You interrupted the agent');
  if (outcome.kind === 'failed') {
    const { error, details } = outcome;
    return needsYou('error', `Failed: ${error || 'the model request'}`, { error, details });
  }
  return inBackground(background) ?? idle('Waiting for your next prompt');
}

function inBackground([first, ...more]: readonly BackgroundWork[]): AgentState | undefined {
  if (!first) return undefined;
  if (more.length > 0) return working('delegating', `Waiting for ${more.length + 1} background tasks`);
  if (first.kind === 'subagent') return working('delegating', `Running ${first.label} agent`);
  return working('delegating', `In the background: ${cutLine(first.label, 60)}`);
}

function fromNotice({ kind, message }: Extract<AgentEvent, { type: 'notice' }>): AgentState | undefined {
  switch (kind) {
    case 'needs_permission':
      return { ...needsYou('needs_permission', 'Needs permission'), onlyInTerminal: true };
    case 'needs_input':
      return { ...needsYou('awaiting_input', cutLine(message || 'Asked you for input', 80)), onlyInTerminal: true };
    case 'idle':
      return idle('Session idle');
    default:
      return undefined;
  }
}

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
