import type { JournalEvent } from '../journal/journal.ts';
import { type AskedCall, decided, leftToTerminal, putActor } from './actors.ts';
import type { Session } from './session.ts';

/** What became of a question that we held. No hook of the client tells. */
export interface AskNews {
  agentId?: string | undefined;
  calls: AskedCall[];
  /** Absent: it was left to the terminal. */
  decision?: 'allow' | 'deny';
  /** A denial that ended the turn as well. */
  endsTurn?: boolean;
}

export function applyAsk(session: Session, { payload, at }: JournalEvent): Session {
  const { agentId, calls, decision, endsTurn = false } = payload as unknown as AskNews;
  const actor = agentId === undefined ? session.main : session.subagents.find(({ id }) => id === agentId);
  if (!actor) return session;
  return putActor(
    session,
    decision ? decided(actor, { calls, decision, endsTurn, at }) : leftToTerminal(actor, { calls, at }),
  );
}
