import { z } from 'zod';
import type { AgentEvent } from '../../contract/agent-events.ts';
import { eventType } from '../../contract/events.ts';
import { Orchestration } from '../../contract/orchestration.ts';
import { Collision } from '../../contract/sessions.ts';
import { textOf as text } from '../../contract/values.ts';
import type { JournalEvent } from '../journal/journal.ts';
import { advanceActor, ended, mostUrgent, putActor, settledAs, shown, startSubagent, stateOfAgents } from './actors.ts';
import { idle, stateFromEvent, working } from './agent-state.ts';
import { raiseApiAsk, settleApiAsk } from './api-asks.ts';
import { applyAsk } from './ask-events.ts';
import { isBetweenTurns } from './between-turns.ts';
import { clientActorId, freshClient, isOthersTurn, speakingMain, withoutProcess } from './clients.ts';
import { cutLine } from './clip.ts';
import { endSession } from './end-session.ts';
import { watchLoop } from './loops.ts';
import { applyObservation, isObservation } from './observations.ts';
import { withOrchestration } from './orchestrated.ts';
import { advanceProgress } from './progress.ts';
import { type Actor, MAIN, newActor, newSession, type Session } from './session.ts';
import { settleStopped, toStop } from './settle-stopped.ts';
import { raiseStall } from './stall.ts';
import { isReading, withReading } from './transcript-reading.ts';
import type { TranslatedEvent } from './translated-event.ts';
import { writtenFile } from './written-file.ts';

/** Enough to see who writes where; a code generator writes more. */
const MAX_WRITTEN = 200;

/** Approvals have their own life cycle. */
export function isOfSession(event: JournalEvent): boolean {
  return eventType(event).subject === 'session';
}

/** The one function that changes a session: pure, so the journal alone rebuilds every state. */
export function transition(before: Session | undefined, event: TranslatedEvent): Session {
  if (isReading(event)) return withReading(before ?? { ...newSession(event.sessionId, event.at), gone: 'left' }, event);
  const known = before && before.gone === null ? before : undefined;
  const session = known ?? { ...newSession(event.sessionId, event.at), ...(before ? carriedOver(before) : {}) };
  // this copy is ours to fill in; a copy for each step below would be most of an event's cost
  const next = { ...apply(session, event) };
  const state = mostUrgent(next);
  const isSame = known && state.group === session.state.group && state.state === session.state.state;
  next.seq = event.seq;
  next.betweenTurns = isBetweenTurns(session, event);
  next.startedIn ??= next.cwd;
  next.state = state;
  next.stateSince = isSame ? session.stateSince : event.at;
  return Object.assign(next, attentionAfter(known, next, event));
}

/** A session that returns after leaving the board (resumed, or a late hook) keeps what the operator set. */
function carriedOver({ givenTitle, autoTitle, turns, startedAt, startedIn, ...place }: Session): Partial<Session> {
  const { root, checkout, branch, orchestration } = place;
  return { givenTitle, autoTitle, turns, startedAt, startedIn, root, checkout, branch, orchestration };
}

function apply(session: Session, event: TranslatedEvent): Session {
  if (event.agent.length > 0)
    return event.agent.reduce((next, one) => watchWork(next, applyAgent(next, one, event.at), one, event.at), session);
  // whatever an agent calls its events, only we record these
  if (event.source === 'hook' || event.source === 'runner') return session;
  switch (event.name) {
    case 'place.observed':
      return { ...session, ...placeIn(event.payload) };
    case 'session.titled':
      return { ...session, givenTitle: text(event.payload.title) || null };
    case 'session.deleted':
      return { ...session, gone: 'deleted' };
    case 'session.left':
    case 'session.dismissed':
      return { ...session, gone: 'left' };
    case 'ask.raised':
    case 'ask.decided':
    case 'ask.left_to_terminal':
      return applyAsk(session, event);
    case 'session.queued':
    case 'session.launched':
    case 'session.advanced':
    case 'session.finished':
    case 'session.settings':
      return withOrchestration(session, Orchestration.parse(event.payload.orchestration), event.at);
    case 'session.forgotten':
      return { ...session, orchestration: null };
    case 'session.stalled':
      return raiseStall(session, event.at);
    case 'collision.observed':
      return { ...session, collisions: z.array(Collision).parse(event.payload.collisions) };
    case 'session.stopping':
    case 'session.unreached':
      return { ...session, stop: toStop(event.payload.stop) };
    case 'session.stopped':
      return settleStopped(session, toStop(event.payload.stop), event.at);
    case 'api_ask.raised':
      return raiseApiAsk(session, event.payload, event.at);
    case 'api_ask.settled':
      return settleApiAsk(session, event.payload, event.at);
    case 'prompt.delivered':
      return { ...takePrompt(session, event.payload), queuedPrompts: Number(event.payload.queued) };
    case 'prompt.queued':
    case 'prompt.returned':
    case 'prompt.expired':
    case 'prompt.cancelled':
      return { ...session, queuedPrompts: Number(event.payload.queued) };
    default:
      return session;
  }
}

function placeIn(payload: Record<string, unknown>): Pick<Session, 'root' | 'checkout' | 'branch'> {
  const { root, checkout, branch } = payload;
  return { root: text(root) || null, checkout: text(checkout) || null, branch: text(branch) || null };
}

/** What its work adds up to, besides its state. */
function watchWork(before: Session, next: Session, event: AgentEvent, at: number): Session {
  if (isObservation(event))
    return next.alarm && stateOfAgents(next).group !== 'autonomous' ? { ...next, alarm: null } : next;
  const watched = watchLoop(before, next, event, at);
  const path = event.type === 'tool.ended' ? writtenFile(event.call, watched.cwd) : undefined;
  if (path === undefined) return watched;
  const written = [...watched.written.filter((file) => file.path !== path), { path, at }].slice(-MAX_WRITTEN);
  return { ...watched, written };
}

function applyAgent(session: Session, event: AgentEvent, at: number): Session {
  if (isObservation(event)) return applyObservation(session, event, at);
  const noted = noteFacts(session, event, at);
  switch (event.type) {
    case 'session.started':
      return restart(noted, event, at);
    case 'session.ended':
      return closeClient(noted, event.reason, at);
    case 'context.compacted':
      return afterCompaction(noted, event, at);
    case 'subagent.started':
      return putActor(advanceParent(noted, event, at), startSubagent(noted, event, at));
    case 'subagent.ended':
      return endSubagent(noted, event, at);
    case 'subagent.idle':
      return subagentIdle(noted, event, at);
    case 'notice':
      return repeatsWhatWeKnow(noted, event) ? noted : advance(noted, event, at);
    default:
      return advance(noted, event, at);
  }
}

/**
 * The client repeats by notification, seconds later, what an event already said, and with less detail: "needs permission" for a question
 * too, without naming the subagent, and "idle" while subagents run.
 */
function repeatsWhatWeKnow(session: Session, { kind }: Extract<AgentEvent, { type: 'notice' }>): boolean {
  if (kind === 'other') return false;
  if ([session.main, ...session.subagents].some((actor) => actor.calls.some((call) => call.ask))) return true;
  return kind === 'idle' && session.main.base.state === 'delegating';
}

function advance(session: Session, event: AgentEvent, at: number): Session {
  const revived = session.endedAt === null ? session : { ...session, endedAt: null, endReason: null };
  const next = putActor(revived, advanceActor(actorOf(revived, event, at), event, at));
  return event.type === 'tool.started'
    ? { ...next, activity: actorOf(next, event, at).calls.at(-1)?.label ?? '' }
    : next;
}

function actorOf(session: Session, event: AgentEvent, at: number): Actor {
  const { id } = event.actor;
  if (id === MAIN) return speakingMain(session, at);
  return session.subagents.find((actor) => actor.id === id) ?? startSubagent(session, event, at);
}

/** During a turn it is automatic, and the turn continues; a manual one is over. */
function afterCompaction(
  session: Session,
  event: Extract<AgentEvent, { type: 'context.compacted' }>,
  at: number,
): Session {
  const next = advance(session, event, at);
  const isOver = event.trigger === undefined && session.betweenTurns;
  return isOver ? putActor(next, settledAs(next.main, idle('Context compacted'), at)) : next;
}

/** A process starts with this session: whatever an earlier one was doing is over. */
function restart(session: Session, event: AgentEvent, at: number): Session {
  if (isOthersTurn(session))
    return putActor(session, advanceActor(freshClient(clientActorId(session.speaker!), at), event, at));
  const main = advanceActor(newActor(MAIN, at, session.main.base), event, at);
  return { ...session, main, subagents: [], endedAt: null, endReason: null };
}

function closeClient(session: Session, reason: string, at: number): Session {
  const end = { reason, label: 'Session closed', at };
  if (session.others.length === 0) return endSession(session, end);
  return withoutProcess(session, session.speaker, end);
}

/** A subagent's start and stop also affect the actor that waits for it. */
function advanceParent(session: Session, event: AgentEvent, at: number): Session {
  const parentId = startSubagent(session, event, at).parentId;
  const parent = session.subagents.find((actor) => actor.id === parentId) ?? session.main;
  return putActor(session, advanceActor(parent, event, at));
}

function endSubagent(session: Session, event: AgentEvent, at: number): Session {
  const actor = session.subagents.find((one) => one.id === event.actor.id);
  if (!actor) return session;
  const label = `${actor.type} agent finished`;
  const next = putActor(session, ended(actor, { group: 'delivered', state: 'task_complete', label }, at));
  const parent = next.subagents.find((one) => one.id === actor.parentId) ?? next.main;
  if (parent.base.state !== 'delegating') return next;
  const other = next.subagents.find((one) => one.endedAt === null && one.parentId === actor.parentId);
  const base = other
    ? working('delegating', `Running ${other.type} agent`)
    : stateFromEvent({ ...event, actor: { ...event.actor, type: actor.type } });
  return putActor(next, shown({ ...parent, base: base ?? parent.base }, parent, at));
}

/** It is idle; its lead agent stays as it was. A source may know its id or only its name. */
function subagentIdle(session: Session, event: Extract<AgentEvent, { type: 'subagent.idle' }>, at: number): Session {
  const isLeading = session.main.base.group === 'autonomous';
  const next = isLeading ? putActor(session, advanceActor(session.main, event, at)) : session;
  const { actor, name } = event;
  const isNamed = ({ endedAt, type, description }: Actor) => endedAt === null && [type, description].includes(name);
  const mate = next.subagents.find(({ id }) => id === actor.id) ?? next.subagents.find(isNamed);
  return mate ? putActor(next, settledAs(mate, working('idle', 'Idle'), at)) : next;
}

/** What an event says besides the state. */
function noteFacts(session: Session, event: AgentEvent, at: number): Session {
  const next = { ...session, lastActivityAt: at, lastHeardAt: at };
  const { facts } = event;
  if (facts?.transcriptPath) next.transcriptPath = facts.transcriptPath;
  if (facts?.permissionMode) next.permissionMode = facts.permissionMode;
  if (facts?.cwd) next.cwd = facts.cwd;
  if (facts?.model) next.model = facts.model;
  if (facts?.title) next.autoTitle = cutLine(facts.title, 200);
  if (event.type === 'cwd.changed' && event.cwd) next.cwd = event.cwd;
  if (event.type === 'model.changed' && event.model) next.model = event.model;
  if (event.type === 'turn.started' && event.by === 'operator') {
    const prompt = cutLine(event.prompt, 200);
    next.lastPrompt = prompt;
    next.autoTitle ??= prompt || null;
    next.turns++;
    // a prompt that arrives while it is stopping is refused and starts nothing
    if (next.stop?.state === 'stopped') next.stop = null;
    next.activity = '';
  }
  next.progress = advanceProgress(session.progress, event);
  return next;
}

/** The client reports our prompt like one of its own, so note here that the operator sent it. */
function takePrompt(session: Session, payload: Record<string, unknown>): Session {
  const lastPrompt = cutLine(text(payload.text), 200);
  const autoTitle = session.autoTitle ?? lastPrompt;
  return { ...session, lastPrompt, autoTitle, turns: session.turns + 1, stop: null, activity: '' };
}

/** A new state must last a while before it calls the operator; one that has called keeps calling. */
function attentionAfter(
  before: Session | undefined,
  next: Session,
  event: TranslatedEvent,
): Pick<Session, 'attention' | 'attentionSince'> {
  const { attention, attentionSince } = next;
  if (event.name === 'attention.settled')
    return { attention: attention === 'settling' ? 'settled' : attention, attentionSince };
  if (next.state.group === 'autonomous') return { attention: 'none', attentionSince: event.at };
  if (!before || next.endedAt !== null) return { attention: 'settled', attentionSince: event.at };
  if (attention === 'settled') return { attention, attentionSince };
  const isSame = attention === 'settling' && next.stateSince === before.stateSince;
  return { attention: 'settling', attentionSince: isSame ? attentionSince : event.at };
}
