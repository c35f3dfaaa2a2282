import type { HookPayload } from '../../contract/hooks.ts';
import type { JournalEvent } from '../journal/journal.ts';
import { advanceActor, ended, mostUrgent, putActor, settledAs, shown, startSubagent } from './actors.ts';
import { raiseApiAsk, settleApiAsk } from './api-asks.ts';
import { applyAsk } from './ask-events.ts';
import { isBetweenTurns } from './between-turns.ts';
import { clientActorId, freshClient, isOthersTurn, speakingMain, withoutProcess } from './clients.ts';
import { cutLine } from './clip.ts';
import { endSession } from './end-session.ts';
import { idle, stateFromHook, text, working } from './hook-state.ts';
import { advanceProgress } from './progress.ts';
import { isReading, withReading } from './reading.ts';
import { type Actor, MAIN, newActor, newSession, type Session } from './session.ts';
import { settleStopped, toStop } from './settle-stopped.ts';
import { applyWatch } from './watch-events.ts';

/** Approvals have a life of their own. But a hook may call itself what it likes: only what we recorded ourselves is one. */
export function isOfSession({ source, name }: JournalEvent): boolean {
  return source === 'hook' || !name.startsWith('approval.');
}

/** The one function that changes a session: pure, so that the journal alone rebuilds every state. */
export function transition(before: Session | undefined, event: JournalEvent): Session {
  if (isReading(event)) return withReading(before ?? { ...newSession(event.sessionId, event.at), gone: 'left' }, event);
  const known = before && before.gone === null ? before : undefined;
  const session = known ?? { ...newSession(event.sessionId, event.at), ...(before ? carriedOver(before) : {}) };
  // this copy is ours to fill in; a copy for each of the steps below would be most of the cost of an event
  const next = { ...apply(session, event) };
  const state = mostUrgent(next);
  const isSame = known && state.group === session.state.group && state.state === session.state.state;
  next.seq = event.seq;
  // another client on the same session has turns of its own
  next.betweenTurns =
    event.source === 'hook' && isOthersTurn(session) ? session.betweenTurns : isBetweenTurns(session, event);
  next.startedIn ??= next.cwd;
  next.state = state;
  next.stateSince = isSame ? session.stateSince : event.at;
  return Object.assign(next, attentionAfter(known, next, event));
}

/** A session that comes back after it had left the view (resumed, or a late hook) keeps what the operator gave it. */
function carriedOver({ givenTitle, autoTitle, turns, startedAt, startedIn, ...place }: Session): Partial<Session> {
  const { root, checkout, branch } = place;
  return { givenTitle, autoTitle, turns, startedAt, startedIn, root, checkout, branch };
}

function apply(session: Session, event: JournalEvent): Session {
  if (event.source === 'hook') return applyHook(session, event.payload as HookPayload, event.at);
  if (event.source === 'watch') return applyWatch(session, event);
  switch (event.name) {
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

function applyHook(session: Session, hook: HookPayload, at: number): Session {
  const noted = noteFacts(session, hook, at);
  switch (hook.hook_event_name) {
    case 'SessionStart':
      return hook.source === 'compact' ? afterCompaction(noted, hook, at) : restart(noted, hook, at);
    case 'SubagentStart':
      return putActor(advanceParent(noted, hook, at), startSubagent(noted, hook, at));
    case 'SubagentStop':
      return endSubagent(noted, hook, at);
    case 'TeammateIdle':
      return teammateIdle(noted, hook, at);
    case 'SessionEnd':
      return closeClient(noted, text(hook.reason) || 'other', at);
    case 'Notification':
      return repeatsWhatWeKnow(noted, hook) ? noted : advance(noted, hook, at);
    default:
      return advance(noted, hook, at);
  }
}

/**
 * The client repeats by notification, seconds later, what a hook has told before, and with less: "needs permission"
 * for a question too, without naming the subagent that asks, and "idle" while subagents run.
 */
function repeatsWhatWeKnow(session: Session, hook: HookPayload): boolean {
  if ([session.main, ...session.subagents].some((actor) => actor.calls.some((call) => call.ask))) return true;
  return hook.notification_type === 'idle_prompt' && session.main.base.state === 'delegating';
}

function advance(session: Session, hook: HookPayload, at: number): Session {
  const revived = session.endedAt === null ? session : { ...session, endedAt: null, endReason: null };
  const next = putActor(revived, advanceActor(actorOf(revived, hook, at), hook, at));
  return hook.hook_event_name === 'PreToolUse'
    ? { ...next, activity: actorOf(next, hook, at).calls.at(-1)?.label ?? '' }
    : next;
}

function actorOf(session: Session, hook: HookPayload, at: number): Actor {
  const id = text(hook.agent_id);
  if (!id) return speakingMain(session, at);
  return session.subagents.find((actor) => actor.id === id) ?? startSubagent(session, hook, at);
}

/** One in the middle of a turn is automatic, and the turn goes on; one that the person asked for is over. */
function afterCompaction(session: Session, hook: HookPayload, at: number): Session {
  const next = advance(session, hook, at);
  return session.betweenTurns ? putActor(next, settledAs(next.main, idle('Context compacted'), at)) : next;
}

/** A process starts with this session: whatever an earlier one was doing is over. */
function restart(session: Session, hook: HookPayload, at: number): Session {
  if (isOthersTurn(session))
    return putActor(session, advanceActor(freshClient(clientActorId(session.speaker!), at), hook, at));
  const main = advanceActor(newActor(MAIN, at, session.main.base), hook, at);
  return { ...session, main, subagents: [], endedAt: null, endReason: null };
}

function closeClient(session: Session, reason: string, at: number): Session {
  const end = { reason, label: 'Session closed', at };
  if (session.others.length === 0) return endSession(session, end);
  return withoutProcess(session, session.speaker, end);
}

/** A subagent's start and stop move the actor that waits for it, not the subagent alone. */
function advanceParent(session: Session, hook: HookPayload, at: number): Session {
  const parentId = startSubagent(session, hook, at).parentId;
  const parent = session.subagents.find((actor) => actor.id === parentId) ?? session.main;
  return putActor(session, advanceActor(parent, hook, at));
}

function endSubagent(session: Session, hook: HookPayload, at: number): Session {
  const actor = session.subagents.find((one) => one.id === hook.agent_id);
  if (!actor) return session;
  const label = `${actor.type} agent finished`;
  const next = putActor(session, ended(actor, { group: 'delivered', state: 'task_complete', label }, at));
  const parent = next.subagents.find((one) => one.id === actor.parentId) ?? next.main;
  if (parent.base.state !== 'delegating') return next;
  const other = next.subagents.find((one) => one.endedAt === null && one.parentId === actor.parentId);
  const base = other
    ? working('delegating', `Running ${other.type} agent`)
    : stateFromHook({ ...hook, agent_type: actor.type });
  return putActor(next, shown({ ...parent, base: base ?? parent.base }, parent, at));
}

/** The teammate rests; the agent that leads it goes on as it was. It is named by its agent id, or by its own name. */
function teammateIdle(session: Session, hook: HookPayload, at: number): Session {
  const isLeading = session.main.base.group === 'autonomous';
  const next = isLeading ? putActor(session, advanceActor(session.main, hook, at)) : session;
  const name = text(hook.teammate_name);
  const names = [text(hook.agent_id), `${name}@${text(hook.team_name)}`];
  const isNamed = ({ endedAt, type, description }: Actor) => endedAt === null && [type, description].includes(name);
  const mate = next.subagents.find(({ id }) => names.includes(id)) ?? next.subagents.find(isNamed);
  return mate ? putActor(next, settledAs(mate, working('idle', 'Idle'), at)) : next;
}

/** What an event tells besides the state. */
function noteFacts(session: Session, hook: HookPayload, at: number): Session {
  const next = { ...session, lastActivityAt: at, lastHookAt: at };
  if (text(hook.transcript_path)) next.transcriptPath = text(hook.transcript_path);
  if (text(hook.permission_mode)) next.permissionMode = text(hook.permission_mode);
  // a subagent may work in a folder of its own (a worktree): the session stays where its main agent is
  if (text(hook.cwd) && !text(hook.agent_id)) next.cwd = text(hook.cwd);
  if (text(hook.new_cwd)) next.cwd = text(hook.new_cwd);
  if (text(hook.session_title)) next.autoTitle = cutLine(text(hook.session_title), 200);
  if (hook.hook_event_name === 'SessionStart' && text(hook.model)) next.model = text(hook.model);
  if (hook.hook_event_name === 'PostModelSwitch' && text(hook.to_model)) next.model = text(hook.to_model);
  if (hook.hook_event_name === 'UserPromptSubmit' && isOperatorsPrompt(hook)) {
    const prompt = cutLine(text(hook.prompt), 200);
    next.lastPrompt = prompt;
    next.autoTitle ??= prompt || null;
    next.turns++;
    // a prompt that comes while it stops is refused, and starts nothing
    if (next.stop?.state === 'stopped') next.stop = null;
    next.activity = '';
  }
  next.progress = advanceProgress(session.progress, hook);
  return next;
}

/** The client tells of a prompt of ours as of one of its own, so it is noted here that the operator spoke. */
function takePrompt(session: Session, payload: Record<string, unknown>): Session {
  const lastPrompt = cutLine(text(payload.text), 200);
  const autoTitle = session.autoTitle ?? lastPrompt;
  return { ...session, lastPrompt, autoTitle, turns: session.turns + 1, stop: null, activity: '' };
}

/** The client also submits prompts by itself: a finished background task, a timer. */
function isOperatorsPrompt(hook: HookPayload): boolean {
  const source = text(hook.source);
  if (source) return source === 'user' || source === 'sdk';
  return !text(hook.prompt).startsWith('<task-notification>');
}

/** A new state must hold for a while before it calls the operator; one that has called keeps calling. */
function attentionAfter(
  before: Session | undefined,
  next: Session,
  event: JournalEvent,
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
