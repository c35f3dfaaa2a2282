import type { LiveSession } from '../../../src/contract/sessions.ts';
import { isQuiet } from '../sessions/quiet.ts';

/**
 * Running sessions, latest activity first, without constant reordering: sorted by the last event alone, two busy sessions would swap places
 * several times a second and nobody could click one. So a card takes its place when it becomes active and keeps it while it stays active.
 * It moves down when it goes quiet and to the top when it is active again.
 */
export function createRunningOrder() {
  const activeSince = new Map<string, number>();

  return function order(sessions: LiveSession[], now: number): LiveSession[] {
    const present = new Set(sessions.map((session) => session.id));
    for (const id of activeSince.keys()) if (!present.has(id)) activeSince.delete(id);

    const ranked = sessions.map((session) => {
      const quiet = isQuiet(session, now);
      if (quiet) activeSince.delete(session.id);
      else if (!activeSince.has(session.id)) activeSince.set(session.id, session.lastActivityAt);
      return { session, quiet, at: activeSince.get(session.id) ?? session.lastActivityAt };
    });
    ranked.sort((a, b) => Number(a.quiet) - Number(b.quiet) || b.at - a.at || (a.session.id < b.session.id ? -1 : 1));
    return ranked.map(({ session }) => session);
  };
}
