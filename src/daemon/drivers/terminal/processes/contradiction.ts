import type { PidFile } from '../../../processes/pid-files.ts';
import { hasDialog, stateOfAgents, waitsByStatus } from '../../../sessions/actors.ts';
import type { Session } from '../../../sessions/session.ts';

/** Between two subagents, the client reports idle for a tenth of a second. Only lasting idleness counts. */
export const IDLE_HOLDS_MS = 400;

/** The hook about a dialog may be slower than the file, but says more, so give it time. */
const WAITING_HOLDS_MS = 1500;

/**
 * Between two dialogs, the client reports busy, and may do so after it has asked the second question. That dialog follows within a tenth of
 * a second, or longer on a busy machine.
 */
const BUSY_HOLDS_MS = 400;
const BUSY_UNSEEN_HOLDS_MS = 2000;

const WAITING = new Set(['needs_permission', 'awaiting_input', 'awaiting_approval']);

export interface Contradiction {
  status: 'idle' | 'busy' | 'waiting';
  /** Dialogs of calls that started before this were answered at the keyboard. */
  by?: number;
}

export interface Observed {
  now: number;
  /** When the client last reported an open dialog, as far as we saw. */
  waitedAt: number | undefined;
}

/** What the client's own file says that our hooks didn't, or undefined if the two agree. `checkIn`: too early to tell. */
export function findContradiction(
  session: Session,
  file: PidFile,
  observed: Observed,
): Contradiction | { checkIn: number } | undefined {
  const { status } = file;
  if (session.endedAt !== null || !status) return undefined;
  if (session.lastHeardAt === null) return withoutHooks(session, file);
  if (status === 'idle') return atRest(session, file, observed);
  if (status === 'waiting') return atDialog(session, file, observed);
  return answeredDialogs(session, file, observed) ?? atWork(session, file, observed);
}

function atRest(session: Session, { statusUpdatedAt: since = 0 }: PidFile, { now }: Observed) {
  const { lastHeardAt, main } = session;
  const state = stateOfAgents(session);
  const isAnswered = main.calls.some((call) => hasDialog(call) && call.startedAt < since);
  // What others in the session reported meanwhile says nothing about a dialog closed with Esc.
  if (!isAnswered && since <= (lastHeardAt ?? 0)) return undefined;
  if (state.group !== 'autonomous' && !WAITING.has(state.state)) return undefined;
  return onceItHolds({ status: 'idle', by: since }, { since, now, holdsMs: IDLE_HOLDS_MS });
}

function atDialog(session: Session, { statusUpdatedAt: since = 0 }: PidFile, { now }: Observed) {
  const { main } = session;
  const state = stateOfAgents(session);
  if (since <= main.heardAt || state.group !== 'autonomous') return undefined;
  return onceItHolds({ status: 'waiting' }, { since, now, holdsMs: WAITING_HOLDS_MS });
}

/** No dialog is open. The ones seen open are answered; one we only know was requested may still appear. */
function answeredDialogs(session: Session, { statusUpdatedAt: since = 0 }: PidFile, { now, waitedAt = 0 }: Observed) {
  const actors = [session.main, ...session.subagents];
  const asked = actors.flatMap(({ calls }) => calls.filter(hasDialog)).filter(({ startedAt }) => startedAt < since);
  const isByStatus = actors.some((actor) => waitsByStatus(actor) && actor.since < since);
  if (asked.length === 0 && !isByStatus) return undefined;
  const isSeen = waitedAt < since && (isByStatus || asked.some(({ startedAt }) => startedAt <= waitedAt));
  const unseen = onceItHolds({ status: 'busy', by: since }, { since, now, holdsMs: BUSY_UNSEEN_HOLDS_MS });
  if (!isSeen || 'status' in unseen) return unseen;
  return onceItHolds({ status: 'busy', by: waitedAt }, { since, now, holdsMs: BUSY_HOLDS_MS });
}

/** It is working on something no hook reported: `/compact`, or the user's own command. */
function atWork(session: Session, { statusUpdatedAt: since = 0, status }: PidFile, { now }: Observed) {
  const { main, lastHeardAt } = session;
  const state = stateOfAgents(session);
  if (status !== 'busy' || state.state !== 'idle' || main.base.state !== 'idle' || since <= (lastHeardAt ?? 0))
    return undefined;
  return onceItHolds({ status: 'busy', by: since }, { since, now, holdsMs: WAITING_HOLDS_MS });
}

function onceItHolds(
  contradiction: Contradiction,
  { since, now, holdsMs }: { since: number; now: number; holdsMs: number },
): Contradiction | { checkIn: number } {
  const checkIn = since + holdsMs - now;
  return checkIn > 0 ? { checkIn } : contradiction;
}

/** No hook has reported this session, so its file drives the state. */
function withoutHooks(session: Session, { status, waitingFor }: PidFile): Contradiction | undefined {
  const told = status === 'idle' || status === 'waiting' ? status : 'busy';
  const state = {
    idle: 'idle',
    busy: 'thinking',
    waiting: waitingFor === 'permission prompt' ? 'needs_permission' : 'awaiting_input',
  }[told];
  return state === stateOfAgents(session).state ? undefined : { status: told };
}
