import type { LiveSession } from '../../../src/contract/sessions.ts';

/** Long tool calls and long thinking are normally silent for a minute. Beyond this, something may hang and deserve a look. */
export const QUIET_AFTER_MS = 120_000;

export function isQuiet(session: Pick<LiveSession, 'lastActivityAt'>, now: number): boolean {
  return now - session.lastActivityAt > QUIET_AFTER_MS;
}
