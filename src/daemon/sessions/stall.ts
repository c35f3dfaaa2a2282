import { stateOfAgents } from './actors.ts';
import { needsYou } from './agent-state.ts';
import type { Session } from './session.ts';

/** A model may think for minutes, and an overloaded API is retried for a few more. */
const QUIET_MS = 15 * 60_000;
/** Added to its own limit: it may be killed late, and the news may reach us late. */
const GRACE_MS = 60_000;

/**
 * Why a session that should be working seems stalled; undefined if nothing suggests it. A call within its limit, a running subagent or
 * background task, and an open question all explain silence.
 */
export function whyStalled(session: Session, now: number): string | undefined {
  const { endedAt, lastHeardAt, alarm, stop, apiAsks, main, subagents } = session;
  if (endedAt !== null || lastHeardAt === null || alarm || stop || apiAsks.length > 0) return undefined;
  const state = stateOfAgents(session);
  if (state.group !== 'autonomous' || state.state === 'unknown' || main.base.state === 'delegating') return undefined;
  if (subagents.some((actor) => actor.endedAt === null)) return undefined;
  const quietMs = now - session.lastActivityAt;
  if (quietMs < QUIET_MS) return undefined;
  const [call] = main.calls;
  if (main.calls.some(({ startedAt, limitMs }) => now - startedAt < limitMs + GRACE_MS)) return undefined;
  return call ? `${call.name} has run past its time limit` : 'No activity for a while';
}

/** Checked here whether it is still what the clock saw: something may have happened in between. */
export function raiseStall(session: Session, at: number): Session {
  const reason = whyStalled(session, at);
  if (reason === undefined) return session;
  const state = needsYou('stalled', reason, { reason });
  return { ...session, alarm: { kind: 'stall', actorId: null, file: null, calls: [], state } };
}
