import type { Approval, ReleaseTo } from '../../contract/approvals.ts';
import type { PresenceLevel } from '../../contract/presence.ts';
import { hasTerminal, isHeadless } from '../sessions/entrypoint.ts';

/** A request is held for this long after the last sign of an operator: a page may be reloading, a daemon restarting. */
export const LOST_MS = 4000;
/** A page is visible, and one move of the mouse would show that someone is there. */
export const IDLE_MS = 10_000;

export interface Attendance {
  presence: PresenceLevel;
  away: boolean;
}

/**
 * Who decides when a request is returned. undefined: the client shows its dialog while we hold the request, so nobody is kept waiting and
 * there's no limit.
 */
export function releaseTo({
  entrypoint,
  agentId,
  kind,
}: Pick<Approval, 'agentId' | 'kind'> & { entrypoint: string | undefined }): ReleaseTo | undefined {
  if (isHeadless(entrypoint)) return 'client';
  if (!hasTerminal(entrypoint)) return 'host';
  // The client shows these only after the hook has answered.
  return agentId !== undefined || kind === 'elicitation' ? 'terminal' : undefined;
}

export const isAttended = ({ presence, away }: Attendance): boolean => away || presence === 'active';

/** Whether a request only we can show is held at all. */
export function isWorthHolding(to: ReleaseTo, attendance: Attendance): boolean {
  return isAttended(attendance) || (to === 'terminal' && attendance.presence === 'idle');
}

interface Held {
  to: ReleaseTo;
  releaseAt: number;
  now: number;
  /** When an operator was last present, or the request arrived. */
  attendedAt: number;
  attendance: Attendance;
}

/** Why it is due to be returned. undefined: keep holding. */
export function overdue({ to, releaseAt, now, attendedAt, attendance }: Held): string | undefined {
  if (now >= releaseAt) return 'Nobody answered within the hold time.';
  if (isAttended(attendance)) return undefined;
  const patience = to === 'terminal' && attendance.presence === 'idle' ? IDLE_MS : LOST_MS;
  return now - attendedAt >= patience ? 'Nobody was at a Ground Control page anymore.' : undefined;
}

export const NOBODY_THERE = 'Nobody was at a Ground Control page, and away mode is off.';

/** What happens to a returned request. */
export const CONSEQUENCES: Record<ReleaseTo, string> = {
  terminal: 'Its terminal is asking now.',
  client: 'Claude Code runs without a terminal there, so it denies unanswered requests.',
  host: 'The program running Claude Code there decides.',
};
