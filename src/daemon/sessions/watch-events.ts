import type { AgentState } from '../../contract/sessions.ts';
import type { JournalEvent } from '../journal/journal.ts';
import { answered, putActor, refusedState, settledAs, shown, stateOfAgents, withoutCalls } from './actors.ts';
import { partOf, withoutProcess, withPart, withProcess, withSpeaker } from './clients.ts';
import { COMPACTING, idle, needsYou, text, thinking } from './hook-state.ts';
import type { Actor, Session } from './session.ts';

/** What our own watch saw: a process, a folder, a status that no hook told of. */
export function applyWatch(session: Session, { name, payload, at }: JournalEvent): Session {
  switch (name) {
    case 'process.seen':
      return fromProcess(session, payload, at);
    case 'process.speaks':
      return withSpeaker(session, Number(payload.pid));
    case 'process.gone': {
      const pid = typeof payload.pid === 'number' ? payload.pid : null;
      return withoutProcess(session, pid, { reason: 'process_gone', label: 'Session ended (no process)', at });
    }
    case 'calls.ended':
      return putActor(session, withoutCalls(session.main, payload.ids as string[], at));
    case 'status.corrected':
      return typeof payload.pid === 'number' && session.others.length > 0
        ? correctPart(session, payload.pid, payload, at)
        : correctStatus(session, text(payload.status), payload, at);
    case 'place.observed':
      return {
        ...session,
        root: text(payload.root) || null,
        checkout: text(payload.checkout) || null,
        branch: text(payload.branch) || null,
      };
    default:
      return session;
  }
}

function fromProcess(session: Session, payload: Record<string, unknown>, at: number): Session {
  const next: Session = {
    ...withProcess(session, { pid: Number(payload.pid), start: text(payload.start) || null }),
    clientVersion: text(payload.version) || session.clientVersion,
    entrypoint: text(payload.entrypoint) || session.entrypoint,
    cwd: session.cwd ?? (text(payload.cwd) || null),
    endedAt: null,
    endReason: null,
  };
  if (next.lastHookAt !== null || !text(payload.status)) return next;
  return { ...putActor(next, settledAs(next.main, fromStatus(payload), at)), lastActivityAt: at };
}

/** We hold nothing for a dialog that only the client's file tells of. */
const onlyInTerminal = (state: AgentState): AgentState => ({ ...state, onlyInTerminal: true });

/** Before the first hook, the client's own word is all there is. */
function fromStatus(payload: Record<string, unknown>): AgentState {
  switch (payload.status) {
    case 'idle':
      return idle('Waiting for your next prompt');
    case 'waiting':
      return onlyInTerminal(
        text(payload.waitingFor) === 'permission prompt'
          ? needsYou('needs_permission', 'Needs permission')
          : needsYou('awaiting_input', 'Waiting for your input'),
      );
    default:
      return BY_STATUS;
  }
}

/** Only the client's own file says that it works, and not on what. */
const BY_STATUS = thinking('Working...');

/** One of two clients on the session: what its file says is about its own part. */
function correctPart(session: Session, pid: number, payload: Record<string, unknown>, at: number): Session {
  return withPart(session, pid, correctStatus(partOf(session, pid), text(payload.status), payload, at));
}

/**
 * The keyboard fires no hook: Esc leaves the session idle, an answered dialog leaves it busy. And some dialogs come
 * without one, so that only the file says that the session waits.
 */
function correctStatus(session: Session, status: string, payload: Record<string, unknown>, at: number): Session {
  if (session.lastHookAt === null) {
    return { ...putActor(session, settledAs(session.main, fromStatus(payload), at)), lastActivityAt: at };
  }
  // an older journal does not say which of them: all
  const by = typeof payload.by === 'number' ? payload.by : Number.POSITIVE_INFINITY;
  // it works again since we last heard of it, and its hooks did not reach us
  if (status === 'busy' && payload.isAtWork === true) {
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
    return putActor(session, shown({ ...session.main, base: fromStatus(payload) }, session.main, at));
  const state = payload.turn === 'ended' ? idle('Waiting for your next prompt') : whyIdle(session.main);
  const next = putActor(session, settledAs(session.main, state, at));
  return session.subagents.reduce(
    (all, actor) => (actor.endedAt === null ? putActor(all, answered(actor, { by, at })) : all),
    next,
  );
}

/** A turn that ended without a hook. A request that was refused, here or at the keyboard, ends it as Esc does. */
function whyIdle({ base, calls }: Actor): AgentState {
  const refused = calls.find((call) => call.ask);
  if (refused) return refusedState(refused);
  if (base.label === COMPACTING) return idle('Context compacted');
  return base.state === 'unknown' || base.label === BY_STATUS.label
    ? idle('Waiting for your next prompt')
    : needsYou('interrupted', 'You interrupted the agent');
}
