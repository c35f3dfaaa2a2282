import { type AgentEvent, MAIN_ACTOR } from '../../contract/agent-events.ts';
import { isOthersTurn } from './clients.ts';
import type { Session } from './session.ts';
import type { TranslatedEvent } from './translated-event.ts';

/**
 * Whether the main agent's turn has ended and no new one has started: the moment when a prompt starts one. The shown state doesn't tell: a
 * failed tool looks like a failed turn, and one with background work still seems busy.
 */
export function isBetweenTurns(session: Session, { name, source, agent }: TranslatedEvent): boolean {
  if (agent.length > 0) return agent.reduce((is, event) => afterEvent(session, event, is), session.betweenTurns);
  if (source === 'watch') return session.betweenTurns;
  // from here until its first event, the session is about to start a turn
  if (name === 'prompt.delivered') return false;
  // the agent doesn't report the end of a turn that we end
  return name === 'prompt.returned' || name === 'session.stopped' || session.betweenTurns;
}

function afterEvent(session: Session, event: AgentEvent, is: boolean): boolean {
  switch (event.type) {
    case 'status.observed':
      return event.status === 'idle';
    case 'process.attached':
      return session.lastHeardAt === null ? event.status === 'idle' : is;
  }
  // another client on the same session has its own turns
  if (event.actor.id !== MAIN_ACTOR || isOthersTurn(session)) return is;
  switch (event.type) {
    case 'turn.ended':
    case 'session.started':
      return true;
    case 'context.compacted':
      return event.trigger === 'manual' || is;
    case 'notice':
      return event.kind === 'idle' || is;
    case 'turn.started':
    case 'tool.started':
    case 'tool.ended':
    case 'tool.failed':
    case 'tool.batch_ended':
    case 'ask.raised':
    case 'context.compacting':
    case 'session.ended':
      return false;
    default:
      return is;
  }
}
