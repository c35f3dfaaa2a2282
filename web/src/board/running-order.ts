import type { LiveSession } from '../../../src/contract/sessions.ts';
import { isQuiet } from '../sessions/quiet.ts';

/** A longer list is sorted anew only so often: in a large fleet somebody begins or falls quiet all the time. */
const SHORT = 30;
const HOLD_MS = 1000;

/**
 * Running sessions, latest activity first, without the cards dancing: sorted by the last event alone, two busy sessions
 * would swap places several times a second, and nobody could click one. So a card takes its place when it becomes
 * active and keeps it while it stays active; it sinks when it falls quiet, and rises to the top when it speaks again.
 */
export function createRunningOrder() {
  const activeSince = new Map<string, number>();
  let places = new Map<string, number>();
  let sortedAt = Number.NEGATIVE_INFINITY;

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
    const sorted = ranked.map(({ session }) => session);
    if (sorted.length > SHORT && now - sortedAt < HOLD_MS) {
      // whoever has come since stands at the end until then
      const placeOf = ({ id }: LiveSession) => places.get(id) ?? places.size;
      return sorted.sort((a, b) => placeOf(a) - placeOf(b));
    }
    sortedAt = now;
    places = new Map(sorted.map(({ id }, place) => [id, place]));
    return sorted;
  };
}
