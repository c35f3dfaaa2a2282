import type { Stop } from '../../contract/sessions.ts';
import { ended, putActor, settledAs } from './actors.ts';
import { needsYou } from './agent-state.ts';
import type { Session } from './session.ts';

/** Its work is over. If our refusal ended a turn, no hook says so, and none reports the subagents that ended with it. */
export function settleStopped(session: Session, stop: Stop, at: number): Session {
  const stopped = { ...session, stop };
  if (session.endedAt !== null) return stopped;
  const label = `Stopped by ${stop.requestedBy}`;
  const isIdle = session.main.state.state === 'idle';
  const main = isIdle ? session.main : settledAs(session.main, needsYou('interrupted', label), at);
  return session.subagents
    .filter(({ endedAt }) => endedAt === null)
    .reduce(
      (next, actor) => putActor(next, ended(actor, { group: 'delivered', state: 'stopped', label }, at)),
      putActor(stopped, main),
    );
}

/** Stops recorded before they could wait lack these fields. */
const NOT_SAID = { ifUnreached: 'ask', waitsUntil: null, unreached: null } as const;

export function toStop(recorded: unknown): Stop {
  const { receipt, ...stop } = recorded as Stop;
  return { ...NOT_SAID, ...stop, receipt: receipt && { ...{ detached: [], resume: null }, ...receipt } };
}
