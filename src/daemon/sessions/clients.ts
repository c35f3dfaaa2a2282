import { ended, putActor } from './actors.ts';
import { idle } from './agent-state.ts';
import { endSession } from './end-session.ts';
import { type Actor, MAIN, newActor, type Session } from './session.ts';

/* Two clients can be on one session id, each in its own terminal. The first one's agent is the session's main actor; each other has its own actor among the subagents, so one's activity or exit says nothing about the other. */

export const clientActorId = (pid: number): string => `client-${pid}`;

const isOther = ({ others }: Session, pid: number | null | undefined): boolean =>
  pid !== null && pid !== undefined && others.some((one) => one.pid === pid);

/** Whether the next hook comes from a client other than the first. */
export const isOthersTurn = (session: Session): boolean => isOther(session, session.speaker);

/** The main agent of the client that is reporting. */
export function speakingMain(session: Session, at: number): Actor {
  return isOthersTurn(session) ? clientActor(session, session.speaker!, at) : session.main;
}

/** The actor of a client's own agent; a subagent has its own id. */
export function mainActorOf(session: Session, pid: number | null | undefined): Actor | undefined {
  if (!isOther(session, pid)) return session.main;
  return session.subagents.find(({ id }) => id === clientActorId(pid!));
}

export function clientActor(session: Session, pid: number, at: number): Actor {
  const id = clientActorId(pid);
  const known = session.subagents.find((actor) => actor.id === id);
  return known ?? { ...freshClient(id, at) };
}

export function freshClient(id: string, at: number): Actor {
  const actor = newActor(id, at, idle('Waiting for your next prompt'));
  return { ...actor, type: 'terminal', description: 'Another terminal on this session' };
}

/** A process of the session. One that appears while another is alive is a second client. */
export function withProcess(session: Session, process: { pid: number; start: string | null }): Session {
  if (!session.process || session.process.pid === process.pid || session.endedAt !== null)
    return { ...session, process };
  const others = session.others.filter(({ pid }) => pid !== process.pid);
  return { ...session, others: [...others, process] };
}

/** From now on, hooks come from this client. */
export function withSpeaker(session: Session, pid: number): Session {
  const isKnown = session.process?.pid === pid || isOther(session, pid);
  return { ...(isKnown ? session : withProcess(session, { pid, start: null })), speaker: pid };
}

/** One client leaves. The session ends with the last of them. */
export function withoutProcess(
  session: Session,
  pid: number | null,
  end: { reason: string; label: string; at: number },
): Session {
  const { others, process } = session;
  if (others.length === 0) return endSession(session, end);
  if (isOther(session, pid)) {
    const rest = { ...session, others: others.filter((one) => one.pid !== pid), speaker: null };
    return endActors(rest, clientActorId(pid!), end);
  }
  // it is unknown which one it was: its process will be missed
  if (pid === null || process?.pid !== pid) return session;
  return promote(session, end);
}

/** The first client left, and the next takes its place. */
function promote(session: Session, end: { label: string; at: number }): Session {
  const [next, ...others] = session.others;
  const actor = clientActor(session, next!.pid, end.at);
  const orphans = session.subagents.filter(({ parentId, id }) => parentId === null && !id.startsWith('client-'));
  const closed = orphans.reduce((all, { id }) => endActors(all, id, end), session);
  const subagents = closed.subagents
    .filter(({ id }) => id !== actor.id)
    .map((one) => (one.parentId === actor.id ? { ...one, parentId: null } : one));
  const main: Actor = { ...actor, id: MAIN, type: MAIN, description: null };
  return { ...closed, main, subagents, process: next!, others, speaker: null };
}

function endActors(session: Session, id: string, { label, at }: { label: string; at: number }): Session {
  const isEnded = (actor: Actor) => actor.endedAt === null && (actor.id === id || actor.parentId === id);
  const base = { group: 'delivered' as const, state: 'session_ended', label };
  return session.subagents.filter(isEnded).reduce((all, actor) => putActor(all, ended(actor, base, at)), session);
}

/** The part of a session that one client's own status is about. */
export function partOf(session: Session, pid: number): Session {
  const isClient = ({ id }: Actor) => id.startsWith('client-');
  if (!isOther(session, pid)) return { ...session, subagents: session.subagents.filter((actor) => !isClient(actor)) };
  const main = clientActor(session, pid, session.startedAt);
  const subagents = session.subagents.filter(({ parentId }) => parentId === main.id);
  return { ...session, main, subagents, state: main.state, lastHeardAt: main.heardAt };
}

/** The session after an update to one client's part of it. */
export function withPart(session: Session, pid: number, part: Session): Session {
  const actors = isOther(session, pid) ? [part.main, ...part.subagents] : part.subagents;
  const whole = isOther(session, pid) ? session : { ...part, subagents: session.subagents };
  return actors.reduce((all, actor) => putActor(all, actor), whole);
}
