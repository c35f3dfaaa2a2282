import type { Orchestration } from '../../contract/orchestration.ts';
import { settledAs } from './actors.ts';
import { needsYou, working } from './agent-state.ts';
import { endSession } from './end-session.ts';
import type { Session } from './session.ts';

/** What is known of a session because we started it. Its agent's own events say what it does; this is what comes before and after them. */
export function withOrchestration(session: Session, orchestration: Orchestration, at: number): Session {
  const next: Session = {
    ...session,
    orchestration,
    autoTitle: session.autoTitle ?? orchestration.name,
    cwd: session.cwd ?? orchestration.cwd,
    model: session.model ?? orchestration.model,
  };
  const hasAgent = session.lastHeardAt !== null;
  switch (orchestration.lifecycle) {
    case 'queued':
      return settled(revived(next), working('queued', orchestration.waitsFor ?? 'Queued'), at);
    case 'waiting_for_agent':
      return hasAgent && session.endedAt === null
        ? next
        : settled(revived(next), working('starting', 'Starting...'), at);
    case 'retrying':
      return settled(next, working('retrying', orchestration.waitsFor ?? 'Trying again...'), at);
    case 'failed': {
      const failed = settled(next, needsYou('error', orchestration.error ?? 'Failed'), at);
      return orchestration.hasRunner ? failed : { ...failed, ...over(failed, at), state: failed.state };
    }
    case 'cancelled':
      return orchestration.hasRunner || session.endedAt !== null
        ? next
        : endSession(next, { reason: 'cancelled', label: 'Cancelled', at });
    default:
      return next;
  }
}

const settled = (session: Session, state: Session['state'], at: number): Session => ({
  ...session,
  main: settledAs(session.main, state, at),
});

const revived = (session: Session): Session => ({ ...session, endedAt: null, endReason: null });

/** It is over, and what it failed with stays to be seen. */
function over(session: Session, at: number): Partial<Session> {
  const { main: _main, ...ended } = endSession(session, { reason: 'failed', label: 'Failed', at });
  return ended;
}
