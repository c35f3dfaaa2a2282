import { textOf as text } from '../../contract/values.ts';
import { activityLabel } from './activity-label.ts';
import { putActor, settledAs } from './actors.ts';
import { needsYou, thinking, working } from './agent-state.ts';
import type { Session } from './session.ts';

/** A program asked the operator on the session's behalf. No hook reports it, so it waits next to the session's actors. */
export function raiseApiAsk(session: Session, payload: Record<string, unknown>, at: number): Session {
  const id = text(payload.approvalId);
  const state = needsYou('needs_permission', `Needs permission: ${text(payload.toolName)}`, payload.toolInput);
  const apiAsks = [...session.apiAsks.filter((ask) => ask.id !== id), { id, state }];
  return { ...session, apiAsks, lastActivityAt: at, endedAt: null, endReason: null };
}

export function settleApiAsk(session: Session, payload: Record<string, unknown>, at: number): Session {
  const apiAsks = session.apiAsks.filter(({ id }) => id !== payload.approvalId);
  const next = { ...session, apiAsks, lastActivityAt: at };
  // if the session has hooks, they also say what it does next
  if (session.lastHeardAt !== null || session.endedAt !== null) return next;
  const tool = text(payload.toolName);
  const input = (payload.toolInput ?? {}) as Record<string, unknown>;
  const state =
    payload.decision === 'allow' ? working('acting', activityLabel(tool, input)) : thinking(`Denied: ${tool}`);
  return putActor(next, settledAs(session.main, state, at));
}
