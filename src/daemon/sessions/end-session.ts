import { ended } from './actors.ts';
import type { Session } from './session.ts';

export function endSession(
  session: Session,
  { reason, label, at }: { reason: string; label: string; at: number },
): Session {
  const base = { group: 'delivered' as const, state: 'session_ended', label };
  return {
    ...session,
    main: ended(session.main, base, at),
    subagents: session.subagents.map((actor) => (actor.endedAt === null ? ended(actor, base, at) : actor)),
    endedAt: session.endedAt ?? at,
    endReason: session.endReason ?? reason,
    process: null,
    others: [],
    speaker: null,
    apiAsks: [],
  };
}
