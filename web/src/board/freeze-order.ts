import type { LiveSession } from '../../../src/contract/sessions.ts';

/** A longer list is arranged anew only so often: in a large fleet somebody begins or ends all the time, and nobody could click a card. */
const SHORT = 30;
const HOLD_MS = 1000;
/** Of a few hundred the first ten would be others each second. */
const PER_SESSION_MS = 10;
const MAX_HOLD_MS = 5000;

type Order = (sessions: LiveSession[], now: number) => LiveSession[];

/** Lets a long list stand as it was arranged for a while; whoever has come since stands at its end until then. */
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
