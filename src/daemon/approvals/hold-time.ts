import type { AfterHold, Approval } from '../../contract/approvals.ts';
import type { PresenceLevel } from '../../contract/presence.ts';
import { hasTerminal, isHeadless } from '../hooks/entrypoint.ts';

/** After the last sign of an operator a request is held this long: a page reloads, a daemon restarts. */
export const LOST_MS = 4000;
/** A page is visible, and one move of the mouse would say that somebody is there. */
export const IDLE_MS = 10_000;

export interface Attendance {
  presence: PresenceLevel;
  away: boolean;
}

/**
 * Who answers when we stop holding. Undefined: the client shows its dialog while we hold, so nobody is kept waiting and
 * there is no limit.
 */
export function afterHold({
  entrypoint,
  agentId,
  kind,
}: Pick<Approval, 'agentId' | 'kind'> & { entrypoint: string | null | undefined }): AfterHold | undefined {
  if (isHeadless(entrypoint)) return 'denied';
  if (!hasTerminal(entrypoint)) return 'host';
  // the client shows these only after the hook has answered
  return agentId !== undefined || kind === 'elicitation' ? 'terminal' : undefined;
}

export const isAttended = ({ presence, away }: Attendance): boolean => away || presence === 'active';

/** Whether a request that only we can show is held at all. */
export function isWorthHolding(then: AfterHold, attendance: Attendance): boolean {
  return isAttended(attendance) || (then === 'terminal' && attendance.presence === 'idle');
}

interface Held {
  then: AfterHold;
  heldUntil: number;
  now: number;
  /** When an operator was last there, or the request came. */
  attendedAt: number;
  attendance: Attendance;
}

/** Why it is to be given back now; undefined: hold on. */
export function overdue({ then, heldUntil, now, attendedAt, attendance }: Held): string | undefined {
  if (now >= heldUntil) return 'Nobody answered in the time that requests are held.';
  if (isAttended(attendance)) return undefined;
  const patience = then === 'terminal' && attendance.presence === 'idle' ? IDLE_MS : LOST_MS;
  return now - attendedAt >= patience ? 'Nobody was looking at Ground Control any more.' : undefined;
}

export const NOBODY_THERE = 'Nobody was looking at Ground Control, and away mode is off.';

/** What becomes of a request that we no longer hold. */
export const CONSEQUENCES: Record<AfterHold, string> = {
  terminal: 'Its terminal asks now.',
  denied: 'Claude Code runs without a terminal there and denies what nobody answers.',
  host: 'The program that runs Claude Code there decides.',
};
