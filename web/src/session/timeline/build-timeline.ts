import type { AgentState, SessionEvent } from '../../../../src/contract/sessions.ts';
import { clipLine } from '../../ui/format.ts';
import { toolWords } from '../conversation/tool-words.ts';

type State = Pick<AgentState, 'group' | 'state'>;

/** A stretch of time in which one agent did one thing. */
export interface Span extends State {
  from: number;
  /** Null: it still does. */
  to: number | null;
  words: string;
  tool: string | null;
  /** The call it is about. */
  toolUseId?: string;
}

export interface Lane {
  /** Null: the main agent. */
  agentId: string | null;
  name: string;
  spans: Span[];
}

export interface Timeline {
  lanes: Lane[];
  from: number;
  to: number;
}

type Payload = Record<string, unknown>;

const say = (group: State['group'], state: string, words: string, tool: string | null = null) => ({
  group,
  state,
  words,
  tool,
});
const THINKING = say('autonomous', 'thinking', 'Thinking');

/** From what the hooks told, in the order they came: who did what from when to when. */
export function buildTimeline(events: readonly SessionEvent[], { now }: { now: number }): Timeline {
  const lanes = new Map<string | null, Lane>();
  const laneOf = (agentId: string | null, type: string) => {
    const known = lanes.get(agentId);
    if (known) return known;
    const lane: Lane = { agentId, name: agentId === null ? 'Main agent' : clipLine(type, 60) || 'Subagent', spans: [] };
    lanes.set(agentId, lane);
    return lane;
  };
  for (const { at, source, name, payload } of events) {
    if (source !== 'hook') continue;
    const agentId = textOf(payload.agent_id) || null;
    const lane = laneOf(agentId, textOf(payload.agent_type));
    if (name === 'SubagentStop') end(lane, at);
    else if (name === 'SessionEnd') for (const one of lanes.values()) end(one, at);
    else {
      const next = whatItDoes(name, payload);
      const toolUseId = textOf(payload.tool_use_id);
      if (next) begin(lane, at, next.tool !== null && toolUseId ? { ...next, toolUseId } : next);
    }
  }
  const from = events[0]?.at ?? now;
  const last = events.at(-1)?.at ?? now;
  const isOver = [...lanes.values()].every(({ spans }) => spans.at(-1)?.to !== null);
  const shown = [...lanes.values()].filter(({ spans }) => spans.length > 0);
  return { lanes: shown, from, to: isOver ? last : Math.max(now, last) };
}

function begin({ spans }: Lane, at: number, next: Omit<Span, 'from' | 'to'>) {
  const current = spans.at(-1);
  if (current?.to === null) {
    if (current.state === next.state && current.words === next.words) return;
    // a question that is told of twice is one question
    current.to = at;
    if (current.from === at) spans.pop();
  }
  spans.push({ ...next, from: at, to: null });
}

function end({ spans }: Lane, at: number) {
  const current = spans.at(-1);
  if (current?.to === null) current.to = at;
}

/** Undefined: it tells nothing of what its agent does. */
function whatItDoes(name: string, payload: Payload): Omit<Span, 'from' | 'to'> | undefined {
  const tool = textOf(payload.tool_name);
  switch (name) {
    case 'SessionStart':
      return payload.source === 'compact' ? THINKING : say('needs_you', 'idle', 'Idle');
    case 'UserPromptSubmit':
    case 'SubagentStart':
    case 'PostToolUse':
    case 'PostToolBatch':
    case 'PermissionDenied':
    case 'ElicitationResult':
      return THINKING;
    case 'PreToolUse':
      return asks(tool) ?? say('autonomous', 'acting', describeTool(tool, payload), tool);
    case 'PermissionRequest':
      return (
        asks(tool) ?? say('needs_you', 'needs_permission', `Needs permission: ${describeTool(tool, payload)}`, tool)
      );
    case 'PostToolUseFailure':
      if (payload.is_interrupt === true) return say('needs_you', 'interrupted', 'Interrupted');
      return say('needs_you', 'error', `Failed: ${clipLine(tool, 60) || 'a tool'}`, tool);
    case 'StopFailure':
      return say('needs_you', 'error', clipLine(textOf(payload.error), 120) || 'The model request failed');
    case 'Elicitation':
      return say('needs_you', 'awaiting_input', 'Asks for input');
    case 'PreCompact':
      return say('autonomous', 'thinking', 'Compacting');
    case 'PostCompact':
      return payload.trigger === 'auto' ? THINKING : say('needs_you', 'idle', 'Idle');
    case 'Stop': {
      const isAwaited = Array.isArray(payload.background_tasks) && payload.background_tasks.length > 0;
      return isAwaited ? say('autonomous', 'delegating', 'Waiting for subagents') : say('needs_you', 'idle', 'Idle');
    }
    default:
      return undefined;
  }
}

function asks(tool: string): Omit<Span, 'from' | 'to'> | undefined {
  if (tool === 'AskUserQuestion') return say('needs_you', 'awaiting_input', 'Question for you', tool);
  if (tool === 'ExitPlanMode') return say('needs_you', 'awaiting_approval', 'Plan to review', tool);
  return undefined;
}

function describeTool(tool: string, payload: Payload): string {
  const input = typeof payload.tool_input === 'object' && payload.tool_input !== null ? payload.tool_input : {};
  const { verb, object } = toolWords(tool, input as Payload, { running: true });
  return clipLine(`${verb} ${object}`, 120);
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
