import { createHash } from 'node:crypto';
import { urgencyOf } from '../../contract/groups.ts';
import type { HookPayload } from '../../contract/hooks.ts';
import type { AgentState } from '../../contract/sessions.ts';
import { activityLabel } from './activity-label.ts';
import { cutLine } from './clip.ts';
import { idle, stateFromHook, text, thinking, working } from './hook-state.ts';
import { type Actor, newActor, type Session, type ToolCall } from './session.ts';

/** A client that lost count must not make us grow: more calls than this at once are not plausible. */
const MAX_CALLS = 64;
const MAX_SUBAGENTS = 200;
/** The name of the call that a question of an MCP server stands for. */
export const ELICITATION = 'Elicitation';

/** What an event of one actor does to that actor. */
export function advanceActor(actor: Actor, hook: HookPayload, at: number): Actor {
  const state = stateFromHook(hook);
  const next = { ...actor, heardAt: at, calls: advanceCalls(actor.calls, hook, { state, at }) };
  if (state) next.base = nextBase(next, hook, state);
  return shown(next, actor, at);
}

/** The state to show: what waits for the operator comes before what else the actor does. */
export function shown(next: Actor, previous: Actor, at: number): Actor {
  const state = next.calls.find((call) => call.ask)?.ask?.state ?? next.base;
  const same = state.group === previous.state.group && state.state === previous.state.state;
  return { ...next, state, since: same ? previous.since : at };
}

function nextBase(actor: Actor, hook: HookPayload, state: AgentState): AgentState {
  const running = actor.calls.at(-1);
  switch (hook.hook_event_name) {
    case 'PreToolUse':
      return state.group === 'needs_you' ? working('acting', running?.label ?? '') : state;
    case 'PermissionRequest':
    case 'Elicitation':
      return actor.base.group === 'autonomous' ? actor.base : working('acting', running?.label ?? '');
    case 'PostToolUse':
    case 'ElicitationResult':
      // tools run side by side: one that has ended says nothing of another that still runs
      return running ? working('acting', running.label) : state;
    default:
      return state;
  }
}

interface News {
  state: AgentState | undefined;
  at: number;
}

function advanceCalls(calls: ToolCall[], hook: HookPayload, news: News): ToolCall[] {
  switch (hook.hook_event_name) {
    case 'PreToolUse':
      return [...withRoom(calls), newCall(hook, news)];
    case 'PermissionRequest':
      return askFor(calls, newCall(hook, news));
    case 'Elicitation':
      return [...withRoom(calls), { ...newCall(hook, news), name: ELICITATION }];
    case 'ElicitationResult':
    case 'PostToolUse':
    case 'PostToolUseFailure':
    case 'PermissionDenied':
      return withoutEnded(calls, hook);
    case 'PostToolBatch':
    case 'Stop':
    case 'StopFailure':
      return calls.filter((call) => isOfPrompt(call, hook) === false);
    case 'UserPromptSubmit':
      // a prompt that is typed while a turn goes on joins that turn, and ends nothing
      return calls.filter((call) => isOfPrompt(call, hook) === true);
    case 'SubagentStop':
    case 'SessionStart':
    case 'SessionEnd':
      return [];
    default:
      return calls;
  }
}

/** Undefined: the client does not say. */
function isOfPrompt({ promptId }: ToolCall, hook: HookPayload): boolean | undefined {
  const id = text(hook.prompt_id);
  return promptId === null || !id ? undefined : promptId === id;
}

/** The oldest call goes, but no question that is still open: an approval would be lost with it. */
function withRoom(calls: ToolCall[]): ToolCall[] {
  if (calls.length < MAX_CALLS) return calls;
  const oldest = calls.findIndex((call) => !call.ask);
  return calls.filter((_, index) => index !== Math.max(oldest, 0));
}

function newCall(hook: HookPayload, { state, at }: News): ToolCall {
  const name = text(hook.tool_name);
  const input = isRecord(hook.tool_input) ? hook.tool_input : {};
  return {
    id: text(hook.tool_use_id) || null,
    name,
    inputHash: inputHashOf(hook),
    label: activityLabel(name, input),
    description: text(input.description) ? cutLine(text(input.description), 80) : null,
    promptId: text(hook.prompt_id) || null,
    startedAt: at,
    ask: state?.group === 'needs_you' ? { state, isSilent: isSilent(hook) } : null,
  };
}

/** The client shows a background subagent's dialog, or an MCP server's, only after our hook has let it go. */
function isSilent({ agent_id: agentId, hook_event_name: event }: HookPayload): boolean {
  return text(agentId) !== '' || event === 'Elicitation';
}

/**
 * The request names no call: it belongs to one with this tool and input that is not asked for yet. Of several in one turn the client asks
 * for the oldest first; one that is left from an earlier turn is nobody's.
 */
function askFor(calls: ToolCall[], request: ToolCall): ToolCall[] {
  const isSame = (call: ToolCall) => call.name === request.name && call.inputHash === request.inputHash;
  const isUnasked = (call: ToolCall) => isSame(call) && !call.ask;
  const inTurn = calls.findIndex(
    (call) => isUnasked(call) && call.promptId !== null && call.promptId === request.promptId,
  );
  const unasked = inTurn >= 0 ? inTurn : calls.findLastIndex(isUnasked);
  const same = unasked >= 0 ? unasked : calls.findLastIndex(isSame);
  if (same < 0) return [...withRoom(calls), request];
  return calls.map((call, index) => (index === same ? { ...call, ask: request.ask } : call));
}

/**
 * A permission request that no call could be found for stands as a call of its own, without an id, and is told by its input.
 * That may have been edited on the way: where it can be about one call only, the name will do.
 */
function withoutEnded(calls: ToolCall[], hook: HookPayload): ToolCall[] {
  const id = text(hook.tool_use_id);
  const name = hook.hook_event_name === 'ElicitationResult' ? ELICITATION : hook.tool_name;
  const alike = calls.filter((call) => call.name === name);
  const named = alike.find((call) => id !== '' && call.id === id);
  const unpaired = alike.filter((call) => call.id === null || id === '');
  const unasked = alike.filter((call) => call.id !== null && !call.ask);
  const isOnly = unpaired.length === 1 && (!named || (unasked.length === 1 && unasked[0] === named));
  const asked = unpaired.find((call) => call.inputHash === inputHashOf(hook)) ?? (isOnly ? unpaired[0] : undefined);
  const rest = calls.filter((call) => call !== named && call !== asked);
  return withoutQuestionsOf(rest, mcpServer(text(hook.tool_name)));
}

/** An MCP server asks while one of its tools runs: when the last of them ends, so do its questions. */
function withoutQuestionsOf(calls: ToolCall[], server: string | undefined): ToolCall[] {
  if (server === undefined || calls.some(({ name }) => mcpServer(name) === server)) return calls;
  const asks = hashInput(server);
  return calls.filter(({ name, inputHash }) => name !== ELICITATION || inputHash !== asks);
}

const mcpServer = (toolName: string): string | undefined => /^mcp__(.+?)__/.exec(toolName)?.[1];

/** What tells two calls of one tool apart; questions of MCP servers are told by their server. */
export function inputHashOf({ hook_event_name: event, mcp_server_name, tool_input }: HookPayload): string {
  const isElicitation = event === 'Elicitation' || event === 'ElicitationResult';
  return hashInput(isElicitation ? mcp_server_name : tool_input);
}

/** Most inputs are short, and then they are their own best hash. */
export function hashInput(input: unknown): string {
  const json = JSON.stringify(input) ?? '';
  return json.length <= 100 ? json : createHash('sha1').update(json).digest('base64url').slice(0, 12);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const hasDialog = ({ ask }: ToolCall): boolean => ask !== null && !ask.isSilent;

const WAITS = new Set(['needs_permission', 'awaiting_input', 'awaiting_approval']);

/** A dialog that only the client's own status told of. */
export const waitsByStatus = ({ base }: Actor): boolean => WAITS.has(base.state);

/**
 * The client says that no dialog is open: those of calls that had begun by then were answered at the keyboard, which fires no hook of
 * its own. What it asked later, or asks without a dialog, is still open.
 */
export function answered(actor: Actor, { by, at }: { by: number; at: number }): Actor {
  const isAnswered = (call: ToolCall) => hasDialog(call) && call.startedAt <= by;
  if (!waitsByStatus(actor) && !actor.calls.some(isAnswered)) return actor;
  const calls = actor.calls.map((call) => (isAnswered(call) ? { ...call, ask: null } : call));
  const running = calls.at(-1);
  return shown(
    { ...actor, calls, base: running ? working('acting', running.label) : thinking('Thinking...') },
    actor,
    at,
  );
}

/** Which calls a question was about: by id, or by tool and input for one that came without. */
export interface AskedCall {
  id: string | null;
  name: string;
  inputHash: string;
}

/** Our answer has reached the client: an allowed call runs, a denied one is over, and no hook says so. */
export function decided(
  actor: Actor,
  {
    calls: asked,
    decision,
    endsTurn,
    at,
  }: { calls: AskedCall[]; decision: 'allow' | 'deny'; endsTurn: boolean; at: number },
): Actor {
  const isAsked = (call: ToolCall) => call.ask !== null && asked.some((one) => isSameCall(one, call));
  const hit = actor.calls.find(isAsked);
  if (!hit) return actor;
  if (endsTurn) return settledAs(actor, refusedState(hit), at);
  const calls = actor.calls.flatMap((call) => {
    if (!isAsked(call)) return [call];
    // a question of an MCP server is over with its answer; the tool that asked goes on
    return decision === 'deny' || call.name === ELICITATION ? [] : [{ ...call, ask: null }];
  });
  const running = calls.at(-1);
  const base = running
    ? working('acting', running.label)
    : thinking(decision === 'deny' ? `Denied: ${hit.name}` : 'Thinking...');
  return shown({ ...actor, calls, base }, actor, at);
}

const REFUSALS: Record<string, string> = { awaiting_input: 'Question dismissed', awaiting_approval: 'Plan rejected' };

/** A turn that ended because its question was refused. */
export function refusedState({ ask, name }: ToolCall): AgentState {
  return idle(REFUSALS[ask?.state.state ?? ''] ?? `Denied: ${name}`);
}

/** We no longer hold it: the terminal's own dialog is what answers. */
export function leftToTerminal(actor: Actor, { calls: asked, at }: { calls: AskedCall[]; at: number }): Actor {
  const calls = actor.calls.map((call) =>
    call.ask && asked.some((one) => isSameCall(one, call))
      ? { ...call, ask: { isSilent: false, state: { ...call.ask.state, onlyInTerminal: true } } }
      : call,
  );
  return shown({ ...actor, calls }, actor, at);
}

export function isSameCall(asked: AskedCall, call: ToolCall): boolean {
  if (asked.id !== null || call.id !== null) return asked.id === call.id;
  return asked.name === call.name && asked.inputHash === call.inputHash;
}

/** These calls have come to their end, and no hook told. */
export function withoutCalls(actor: Actor, ids: readonly string[], at: number): Actor {
  const calls = actor.calls.filter(({ id }) => id === null || !ids.includes(id));
  return shown({ ...actor, calls }, actor, at);
}

/** Whatever the actor did is over. */
export function settledAs(actor: Actor, base: AgentState, at: number): Actor {
  return shown({ ...actor, calls: [], base }, actor, at);
}

export function ended(actor: Actor, base: AgentState, at: number): Actor {
  return { ...settledAs(actor, base, at), endedAt: actor.endedAt ?? at };
}

export function putActor(session: Session, actor: Actor): Session {
  if (actor.id === session.main.id) return { ...session, main: actor };
  const known = session.subagents.some((other) => other.id === actor.id);
  const subagents = known
    ? session.subagents.map((other) => (other.id === actor.id ? actor : other))
    : [...dropOldestEnded(session.subagents), actor];
  return { ...session, subagents };
}

function dropOldestEnded(actors: Actor[]): Actor[] {
  if (actors.length < MAX_SUBAGENTS) return actors;
  const oldest = actors.findIndex((actor) => actor.endedAt !== null);
  return actors.filter((_, index) => index !== Math.max(oldest, 0));
}

/** A subagent that has finished can be sent on: it starts again under the same id. */
export function startSubagent(session: Session, hook: HookPayload, at: number): Actor {
  const known = session.subagents.find((actor) => actor.id === hook.agent_id);
  if (known) return { ...settledAs(known, thinking('Starting...'), at), endedAt: null };
  const parent = startedBy(session);
  return {
    ...newActor(text(hook.agent_id), at, thinking('Starting...')),
    type: text(hook.agent_type) || 'agent',
    parentId: parent && parent.actor.id !== session.main.id ? parent.actor.id : null,
    description: parent?.call.description ?? null,
  };
}

/** The start of a subagent does not name its parent: it is the newest actor with an Agent call under way. */
function startedBy(session: Session): { actor: Actor; call: ToolCall } | undefined {
  for (const actor of [session.main, ...session.subagents].reverse()) {
    const call = actor.calls.findLast((one) => one.name === 'Agent' || one.name === 'Task');
    if (call && actor.endedAt === null) return { actor, call };
  }
  return undefined;
}

/** The session shows its most urgent state; among equals that of its agents goes first. */
export function mostUrgent(session: Session): AgentState {
  const asked = session.apiAsks[0]?.state;
  const state = stateOfAgents(session);
  return asked && urgencyOf(asked) < urgencyOf(state) ? asked : state;
}

/** What the agents themselves do: of the most urgent one; among equals the main agent, then the oldest. */
export function stateOfAgents({ main, subagents }: Session): AgentState {
  let best = main.state;
  for (const { endedAt, state } of subagents) {
    if (endedAt === null && urgencyOf(state) < urgencyOf(best)) best = state;
  }
  return best;
}
