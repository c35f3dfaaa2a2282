/** Longer than a double click, and than it takes to notice that something else has come under the pointer. */
export const FRESH_MS = 700;
const MOVED_PX = 3;

export interface Place {
  /** On the screen. */
  x: number;
  y: number;
  /** In what it scrolls with: scrolling alone moves nothing. */
  contentY: number;
}

/**
 * Since when each request stands where it stands. A card that has just come, or has moved up because the one above it was answered, is
 * not what the operator was aiming at.
 */
export function createPositions() {
  let places = new Map<string, Place & { since: number }>();
  return {
    /** Where they all are now. */
    update(now: ReadonlyMap<string, Place>, at: number) {
      places = new Map(
        [...now].map(([id, place]) => {
          const before = places.get(id);
          return [id, { ...place, since: before && !hasMoved(before, place) ? before.since : at }];
        }),
      );
    },
    isFresh(id: string, at: number): boolean {
      const place = places.get(id);
      return !place || at - place.since < FRESH_MS;
    },
    /** When the last of them will have stood long enough; null: all have. */
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
