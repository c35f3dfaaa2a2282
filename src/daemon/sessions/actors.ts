import type { AgentEvent, EventCall } from '../../contract/agent-events.ts';
import { urgencyOf } from '../../contract/groups.ts';
import type { AgentState } from '../../contract/sessions.ts';
import { isRecord, textOf as text } from '../../contract/values.ts';
import { activityLabel } from './activity-label.ts';
import { idle, stateFromEvent, thinking, working } from './agent-state.ts';
import { limitOf } from './call-limit.ts';
import { cutLine } from './clip.ts';
import { hashInput } from './hash-input.ts';
import { type Actor, newActor, type Session, type ToolCall } from './session.ts';

/** A client that lost count must not exhaust our memory: more calls than this at once aren't plausible. */
const MAX_CALLS = 64;
const MAX_SUBAGENTS = 200;
/** The name of the call that stands for an MCP server's question. */
export const ELICITATION = 'elicitation';

type Raised = Extract<AgentEvent, { type: 'ask.raised' }>;

/** What an actor's event does to that actor. */
export function advanceActor(actor: Actor, event: AgentEvent, at: number): Actor {
  const state = stateFromEvent(event);
  const next = { ...actor, heardAt: at, calls: advanceCalls(actor.calls, event, { state, at }) };
  if (state) next.base = nextBase(next, event, state);
  return shown(next, actor, at);
}

/** The state to show: what waits for the operator outranks what else the actor does. */
export function shown(next: Actor, previous: Actor, at: number): Actor {
  const state = next.calls.find((call) => call.ask)?.ask?.state ?? next.base;
  const same = state.group === previous.state.group && state.state === previous.state.state;
  return { ...next, state, since: same ? previous.since : at };
}

function nextBase(actor: Actor, { type }: AgentEvent, state: AgentState): AgentState {
  const running = actor.calls.at(-1);
  switch (type) {
    case 'ask.raised':
      return actor.base.group === 'autonomous' ? actor.base : working('acting', running?.label ?? '');
    case 'tool.ended':
    case 'tool.failed':
    case 'ask.settled':
      if (state.group !== 'autonomous') return state;
      // Tools run in parallel: one that ended says nothing about another that is still running.
      return running ? working('acting', running.label) : state;
    default:
      return state;
  }
}

interface News {
  state: AgentState | undefined;
  at: number;
}

function advanceCalls(calls: ToolCall[], event: AgentEvent, news: News): ToolCall[] {
  switch (event.type) {
    case 'tool.started':
      return [...withRoom(calls), newCall(event, event.call, news)];
    case 'ask.raised':
      return askFor(calls, event, news);
    case 'ask.settled':
      return event.kind === 'elicitation'
        ? withoutQuestion(calls, event.server)
        : withoutAsk(calls, event.call ?? { name: '' });
    case 'tool.ended':
    case 'tool.failed':
    case 'tool.denied':
      return withoutEnded(calls, event.call);
    case 'tool.batch_ended':
    case 'turn.ended':
      return calls.filter((call) => isOfTurn(call, event) === false);
    case 'turn.started':
      // A prompt typed during a turn joins that turn and ends nothing.
      return calls.filter((call) => isOfTurn(call, event) === true);
    case 'context.compacted':
      return event.trigger === undefined ? [] : calls;
    case 'subagent.ended':
    case 'session.started':
    case 'session.ended':
      return [];
    default:
      return calls;
  }
}

/** undefined: the source doesn't say. */
function isOfTurn({ turnId }: ToolCall, { turnId: id }: AgentEvent): boolean | undefined {
  return turnId === null || id === undefined ? undefined : turnId === id;
}

/** Drops the oldest call, but never one with an open question: its approval would be lost. */
function withRoom(calls: ToolCall[]): ToolCall[] {
  if (calls.length < MAX_CALLS) return calls;
  const oldest = calls.findIndex((call) => !call.ask);
  return calls.filter((_, index) => index !== Math.max(oldest, 0));
}

function newCall({ turnId }: AgentEvent, { id, name, input: given }: EventCall, { at }: News): ToolCall {
  const input = isRecord(given) ? given : {};
  return {
    id: id ?? null,
    name,
    inputHash: hashInput(given),
    label: activityLabel(name, input),
    description: text(input.description) ? cutLine(text(input.description), 80) : null,
    turnId: turnId ?? null,
    startedAt: at,
    limitMs: limitOf(name, input),
    ask: null,
  };
}

/**
 * A request without a call id belongs to a call with this tool and input that isn't asked about yet. Among several in one turn, the oldest
 * is asked about first; one left from an earlier turn doesn't count.
 */
function askFor(calls: ToolCall[], event: Raised, news: News): ToolCall[] {
  const ask = news.state ? { state: news.state, isSilent: !event.hasDialog } : null;
  if (event.kind === 'elicitation') {
    const question = {
      ...newCall(event, { name: '' }, news),
      name: ELICITATION,
      inputHash: hashInput(event.server),
      ask,
    };
    return [...withRoom(calls), question];
  }
  const request = { ...newCall(event, event.call ?? { name: '' }, news), ask };
  const index = findAsked(calls, request);
  if (index < 0) return [...withRoom(calls), request];
  return calls.map((call, at) => (at === index ? { ...call, ask } : call));
}

function findAsked(calls: ToolCall[], request: ToolCall): number {
  const named = request.id === null ? -1 : calls.findIndex(({ id }) => id === request.id);
  if (named >= 0) return named;
  const isSame = (call: ToolCall) => call.name === request.name && call.inputHash === request.inputHash;
  const isUnasked = (call: ToolCall) => isSame(call) && !call.ask;
  const inTurn = calls.findIndex((call) => isUnasked(call) && call.turnId !== null && call.turnId === request.turnId);
  const unasked = inTurn >= 0 ? inTurn : calls.findLastIndex(isUnasked);
  return unasked >= 0 ? unasked : calls.findLastIndex(isSame);
}

/** The call continues without its question. */
function withoutAsk(calls: ToolCall[], { id, name, input }: EventCall): ToolCall[] {
  const asked = { id: id ?? null, name, inputHash: hashInput(input) };
  return calls.map((call) => (isSameCall(asked, call) ? { ...call, ask: null } : call));
}

/**
 * A permission request without a matching call becomes a call without an id, identified by its input. The input may have been edited on the
 * way: if it can only be about one call, the name is enough.
 */
function withoutEnded(calls: ToolCall[], { id = '', name, input }: EventCall): ToolCall[] {
  const rest = withoutCall(calls, { id, name, inputHash: hashInput(input) });
  return withoutQuestionsOf(rest, mcpServer(name));
}

function withoutQuestion(calls: ToolCall[], server: string | undefined): ToolCall[] {
  return withoutCall(calls, { id: '', name: ELICITATION, inputHash: hashInput(server) });
}

function withoutCall(
  calls: ToolCall[],
  { id, name, inputHash }: { id: string; name: string; inputHash: string },
): ToolCall[] {
  const alike = calls.filter((call) => call.name === name);
  const named = alike.find((call) => id !== '' && call.id === id);
  const unpaired = alike.filter((call) => call.id === null || id === '');
  const unasked = alike.filter((call) => call.id !== null && !call.ask);
  const isOnly = unpaired.length === 1 && (!named || (unasked.length === 1 && unasked[0] === named));
  const asked = unpaired.find((call) => call.inputHash === inputHash) ?? (isOnly ? unpaired[0] : undefined);
  return calls.filter((call) => call !== named && call !== asked);
}

/** An MCP server asks while one of its tools runs: when its last tool ends, so do its questions. */
function withoutQuestionsOf(calls: ToolCall[], server: string | undefined): ToolCall[] {
  if (server === undefined || calls.some(({ name }) => mcpServer(name) === server)) return calls;
  const asks = hashInput(server);
  return calls.filter(({ name, inputHash }) => name !== ELICITATION || inputHash !== asks);
}

const mcpServer = (toolName: string): string | undefined => /^mcp__(.+?)__/.exec(toolName)?.[1];

export const hasDialog = ({ ask }: ToolCall): boolean => ask !== null && !ask.isSilent;

const WAITS = new Set(['needs_permission', 'awaiting_input', 'awaiting_approval']);

/** A dialog known only from the client's own status. */
export const waitsByStatus = ({ base }: Actor): boolean => WAITS.has(base.state);

/**
 * The client says no dialog is open: those of calls that started before then were answered at the keyboard, which fires no hook. What was
 * asked later, or without a dialog, is still open.
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

/** Which calls a question was about: by id, or by tool and input if it had none. */
export interface AskedCall {
  id: string | null;
  name: string;
  inputHash: string;
}

/** Our answer reached the client: an allowed call runs, a denied one is over, and no hook says so. */
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
    // An MCP server's question ends with its answer; the tool that asked continues.
    return decision === 'deny' || call.name === ELICITATION ? [] : [{ ...call, ask: null }];
  });
  const running = calls.at(-1);
  const base = running
    ? working('acting', running.label)
    : thinking(decision === 'deny' ? `Denied: ${hit.name}` : 'Thinking...');
  return shown({ ...actor, calls, base }, actor, at);
}

const REFUSALS: Record<string, string> = { awaiting_input: 'Question dismissed', awaiting_approval: 'Plan rejected' };

/** A turn that ended because its question was denied. */
export function refusedState({ ask, name }: ToolCall): AgentState {
  return idle(REFUSALS[ask?.state.state ?? ''] ?? `Denied: ${name}`);
}

/** We no longer hold it: the terminal's own dialog answers. */
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

/** These calls ended without a hook. */
export function withoutCalls(actor: Actor, ids: readonly string[], at: number): Actor {
  const calls = actor.calls.filter(({ id }) => id === null || !ids.includes(id));
  if (calls.length === actor.calls.length) return actor;
  const running = calls.at(-1);
  const doing = running ? working('acting', running.label) : thinking('Thinking...');
  return shown({ ...actor, calls, base: actor.base.group === 'autonomous' ? doing : actor.base }, actor, at);
}

/** Everything the actor did is over. */
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

/** A finished subagent can be resumed: it starts again under the same id. */
export function startSubagent(session: Session, event: AgentEvent, at: number): Actor {
  const { id, type = 'agent', parentId } = event.actor;
  const known = session.subagents.find((actor) => actor.id === id);
  if (known) return { ...settledAs(known, thinking('Starting...'), at), endedAt: null };
  const parent = startedBy(session);
  const inferred = parent && parent.actor.id !== session.main.id ? parent.actor.id : null;
  const description = event.type === 'subagent.started' ? event.description : undefined;
  return {
    ...newActor(id, at, thinking('Starting...')),
    type,
    parentId: parentId === undefined ? inferred : parentId === session.main.id ? null : parentId,
    description: description ?? parent?.call.description ?? null,
  };
}

/** If a subagent's start doesn't name its parent, it is the newest actor with a running Agent call. */
function startedBy(session: Session): { actor: Actor; call: ToolCall } | undefined {
  for (const actor of [session.main, ...session.subagents].reverse()) {
    const call = actor.calls.findLast((one) => one.name === 'Agent' || one.name === 'Task');
    if (call && actor.endedAt === null) return { actor, call };
  }
  return undefined;
}

/** The session shows its most urgent state; on a tie, its agents' state wins. */
export function mostUrgent(session: Session): AgentState {
  const asked = session.apiAsks[0]?.state;
  const agents = stateOfAgents(session);
  const alarm = session.endedAt === null ? session.alarm?.state : undefined;
  const state = alarm && urgencyOf(alarm) < urgencyOf(agents) ? alarm : agents;
  return asked && urgencyOf(asked) < urgencyOf(state) ? asked : state;
}

/** What the agents themselves do: the most urgent one; on a tie the main agent, then the oldest. */
export function stateOfAgents({ main, subagents }: Session): AgentState {
  let best = main.state;
  for (const { endedAt, state } of subagents) {
    if (endedAt === null && urgencyOf(state) < urgencyOf(best)) best = state;
  }
  return best;
}
