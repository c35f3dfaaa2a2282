/** Longer than a double click, and than it takes to notice that something else is under the pointer. */
export const FRESH_MS = 700;
const MOVED_PX = 3;

export interface Place {
  /** On screen. */
  x: number;
  y: number;
  /** Within its scroll container: scrolling alone doesn't count as movement. */
  contentY: number;
}

/**
 * How long each request has been where it is. A card that just appeared, or moved up because the one above was answered, is not what the
 * operator was aiming at.
 */
export function createPositions() {
  let places = new Map<string, Place & { since: number }>();
  return {
    /** Records their current positions. */
    update(now: ReadonlyMap<string, Place>, at: number) {
      places = new Map(
        [...now].map(([id, place]) => {
          const before = places.get(id);
          return [id, { ...place, since: before && !hasMoved(before, place) ? before.since : at }];
        }),
      );
    },
    size: () => places.size,
    isFresh(id: string, at: number): boolean {
      const place = places.get(id);
      return !place || at - place.since < FRESH_MS;
    },
    /** When the last of them will have been in place long enough. null: all have. */
    nextChange(at: number): number | null {
      const left = [...places.values()].map(({ since }) => since + FRESH_MS - at).filter((ms) => ms > 0);
      return left.length > 0 ? Math.min(...left) : null;
    },
  };
}

function hasMoved(before: Place, now: Place): boolean {
  const onScreen = Math.abs(before.x - now.x) > MOVED_PX || Math.abs(before.y - now.y) > MOVED_PX;
  const inContent = Math.abs(before.x - now.x) > MOVED_PX || Math.abs(before.contentY - now.contentY) > MOVED_PX;
  return onScreen && inContent;
}
