import type { LiveSession } from '../../../src/contract/sessions.ts';

/**
 * A long tool call or a long thought is silent for a minute as a matter of course. Past this, something may hang, and
 * the operator may want to look.
 */
export const QUIET_AFTER_MS = 120_000;

export function isQuiet(session: Pick<LiveSession, 'lastActivityAt'>, now: number): boolean {
  return now - session.lastActivityAt > QUIET_AFTER_MS;
}
