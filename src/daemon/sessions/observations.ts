import type { AgentEvent } from '../../contract/agent-events.ts';
import type { AgentState } from '../../contract/sessions.ts';
import { answered, putActor, refusedState, settledAs, shown, stateOfAgents, withoutCalls } from './actors.ts';
import { COMPACTING, idle, needsYou, thinking } from './agent-state.ts';
import { partOf, withoutProcess, withPart, withProcess, withSpeaker } from './clients.ts';
import type { Actor, Session } from './session.ts';

type Observation = Extract<
  AgentEvent,
  { type: 'process.attached' | 'process.detached' | 'process.speaks' | 'status.observed' | 'tool.outcomes_missed' }
>;
type Attached = Extract<AgentEvent, { type: 'process.attached' }>;
type Observed = Extract<AgentEvent, { type: 'status.observed' }>;

/** The agent reported nothing: something observed it. */
export function isObservation(event: AgentEvent): event is Observation {
  switch (event.type) {
    case 'process.attached':
    case 'process.detached':
    case 'process.speaks':
    case 'status.observed':
    case 'tool.outcomes_missed':
      return true;
    default:
      return false;
  }
}

export function applyObservation(session: Session, event: Observation, at: number): Session {
  switch (event.type) {
    case 'process.attached':
      return fromProcess(session, event, at);
    case 'process.speaks':
      return withSpeaker(session, event.pid);
    case 'process.detached':
      return withoutProcess(session, event.pid, { reason: 'process_gone', label: whyGone(session), at });
    case 'tool.outcomes_missed':
      return [session.main, ...session.subagents].reduce(
        (next, actor) => putActor(next, withoutCalls(actor, event.ids, at)),
        session,
      );
    case 'status.observed':
      return event.pid !== undefined && session.others.length > 0
        ? withPart(session, event.pid, correctStatus(partOf(session, event.pid), event, at))
        : correctStatus(session, event, at);
  }
}

/** A finished headless run exits silently. One that exits during a turn was killed. */
const whyGone = ({ betweenTurns }: Session): string => (betweenTurns ? 'Session closed' : 'Session ended (no process)');

function fromProcess(session: Session, event: Attached, at: number): Session {
  const { process, version, entrypoint, facts, status } = event;
  const next: Session = {
    ...withProcess(session, process),
    clientVersion: version ?? session.clientVersion,
    entrypoint: entrypoint ?? session.entrypoint,
    cwd: session.cwd ?? facts?.cwd ?? null,
    endedAt: null,
    endReason: null,
  };
  if (next.lastHeardAt !== null || !status) return next;
  return { ...putActor(next, settledAs(next.main, fromStatus(event), at)), lastActivityAt: at };
}

/** We hold nothing for a dialog known only from the client's file. */
const onlyInTerminal = (state: AgentState): AgentState => ({ ...state, onlyInTerminal: true });

/** Before the agent's first event, its status is all there is. */
function fromStatus({ status, waitingFor }: Attached | Observed): AgentState {
  switch (status) {
    case 'idle':
      return idle('Waiting for your next prompt');
    case 'waiting':
      return onlyInTerminal(
        waitingFor === 'permission'
          ? needsYou('needs_permission', 'Needs permission')
          : needsYou('awaiting_input', 'Waiting for your input'),
      );
    default:
      return BY_STATUS;
  }
}

/** Only the client's own file says it is working, and not on what. */
const BY_STATUS = thinking('Working...');

/**
 * The keyboard causes no event: Esc leaves the session idle, an answered dialog leaves it busy. And some dialogs come without one, so only
 * the file says the session is waiting.
 */
function correctStatus(session: Session, event: Observed, at: number): Session {
  const { status } = event;
  if (session.lastHeardAt === null) {
    return { ...putActor(session, settledAs(session.main, fromStatus(event), at)), lastActivityAt: at };
  }
  // an older journal doesn't say which: all of them
  const by = event.answeredBy ?? Number.POSITIVE_INFINITY;
  if (status === 'busy' && event.resumed) {
    const main = answered(session.main, { by, at });
    return putActor(session, main.state.group === 'autonomous' ? main : shown({ ...main, base: BY_STATUS }, main, at));
  }
  if (status === 'busy' && stateOfAgents(session).state === 'idle')
    return putActor(session, settledAs(session.main, BY_STATUS, at));
  if (status === 'busy') {
    return [session.main, ...session.subagents].reduce(
      (next, actor) => putActor(next, answered(actor, { by, at })),
      session,
    );
  }
  if (status === 'waiting')
    return putActor(session, shown({ ...session.main, base: fromStatus(event) }, session.main, at));
  const state = event.turnEnded ? idle('Waiting for your next prompt') : whyIdle(session.main);
  const next = putActor(session, settledAs(session.main, state, at));
  return session.subagents.reduce(
    (all, actor) => (actor.endedAt === null ? putActor(all, answered(actor, { by, at })) : all),
    next,
  );
}

/** A turn that ended without an event. A denied request, here or at the keyboard, ends it like Esc. */
function whyIdle({ base, calls }: Actor): AgentState {
  const refused = calls.find((call) => call.ask);
  if (refused) return refusedState(refused);
  if (base.label === COMPACTING) return idle('Context compacted');
  return base.state === 'unknown' || base.label === BY_STATUS.label
    ? idle('Waiting for your next prompt')
    : needsYou('interrupted', 'You interrupted the agent');
}
