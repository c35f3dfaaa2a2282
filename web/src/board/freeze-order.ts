import type { LiveSession } from '../../../src/contract/sessions.ts';

/**
 * Longer lists are rearranged only once in a while. In a large fleet sessions start and end all the time, and no card would hold still long
 * enough to click.
 */
const SHORT = 30;
const HOLD_MS = 1000;
/** With a few hundred sessions, the first ten would change every second. */
const PER_SESSION_MS = 10;
const MAX_HOLD_MS = 5000;

type Order = (sessions: LiveSession[], now: number) => LiveSession[];

/** Keeps a long list in its order for a while. New sessions go to the end until the next rearrangement. */
export function freezingOrder(arrange: Order): Order {
  let places = new Map<string, number>();
  let arrangedAt = Number.NEGATIVE_INFINITY;

  return (sessions, now) => {
    const hold = Math.min(Math.max(sessions.length * PER_SESSION_MS, HOLD_MS), MAX_HOLD_MS);
    if (sessions.length > SHORT && now - arrangedAt < hold) {
      const placeOf = ({ id }: LiveSession) => places.get(id) ?? places.size;
      return sessions.sort((a, b) => placeOf(a) - placeOf(b));
    }
    arrangedAt = now;
    const sorted = arrange(sessions, now);
    places = new Map(sorted.map(({ id }, place) => [id, place]));
    return sorted;
  };
}
