import { putActor, shown } from './actors.ts';
import { needsYou, text } from './hook-state.ts';
import type { Session, ToolCall } from './session.ts';

/** We hold a call that its client would not have asked anybody about: it waits for the operator like any other request. */
export function raiseAsk(session: Session, payload: Record<string, unknown>, at: number): Session {
  const ask = needsYou('needs_permission', `Needs permission: ${text(payload.toolName)}`, payload.toolInput);
  return changeCall(session, payload, at, (call) => ({ ...call, ask, raised: true }));
}

/** The call goes on or is refused; the next event of the session tells which. */
export function settleAsk(session: Session, payload: Record<string, unknown>, at: number): Session {
  return changeCall(session, payload, at, ({ raised: _, ...call }) => ({ ...call, ask: null }));
}

/** Whether this call still waits for us. */
export function isRaised(session: Session | undefined, toolUseId: string): boolean {
  const actors = session ? [session.main, ...session.subagents] : [];
  return actors.some(({ calls }) => calls.some((call) => call.id === toolUseId && call.raised));
}

function changeCall(
  session: Session,
  { agentId, toolUseId }: Record<string, unknown>,
  at: number,
  change: (call: ToolCall) => ToolCall,
): Session {
  const actor = agentId ? session.subagents.find(({ id }) => id === agentId) : session.main;
  if (!actor) return session;
  const calls = actor.calls.map((call) => (call.id === toolUseId ? change(call) : call));
  return putActor(session, shown({ ...actor, calls }, actor, at));
}
