import type { JournalEvent } from '../journal/journal.ts';
import { type AskedCall, decided, ELICITATION, leftToTerminal, putActor, shown } from './actors.ts';
import { needsYou } from './agent-state.ts';
import type { Actor, Session } from './session.ts';

/** We hold a call before its client asks anyone: it waits for the operator like any other question. */
export interface RaisedAsk {
  agentId?: string | undefined;
  toolUseId: string;
  toolName: string;
  toolInput: unknown;
}

/** What happened to a question we held. No hook reports it. */
export interface AskNews {
  agentId?: string | undefined;
  calls: AskedCall[];
  /** Absent: it was left to the terminal. */
  decision?: 'allow' | 'deny';
  /** A denial that also ended the turn. */
  endsTurn?: boolean;
}

export function applyAsk(session: Session, { name, payload, at }: JournalEvent): Session {
  const { agentId } = payload;
  const actor = agentId === undefined ? session.main : session.subagents.find(({ id }) => id === agentId);
  if (!actor) return session;
  if (name === 'ask.raised') return putActor(session, raised(actor, payload as unknown as RaisedAsk, at));
  const { calls: asked, decision, endsTurn = false } = payload as unknown as AskNews;
  // older journals capitalized this name
  const calls = asked.map((call) => (call.name.toLowerCase() === ELICITATION ? { ...call, name: ELICITATION } : call));
  return putActor(
    session,
    decision ? decided(actor, { calls, decision, endsTurn, at }) : leftToTerminal(actor, { calls, at }),
  );
}

/** The client shows no dialog for it, so its own status says nothing about it. */
function raised(actor: Actor, { toolUseId, toolName, toolInput }: RaisedAsk, at: number): Actor {
  const ask = { state: needsYou('needs_permission', `Needs permission: ${toolName}`, toolInput), isSilent: true };
  const calls = actor.calls.map((call) => (call.id === toolUseId ? { ...call, ask } : call));
  return shown({ ...actor, calls }, actor, at);
}
