/**
 * Adds one card per frame to the board: each takes a few milliseconds, and several at once make the page stutter. Columns take turns, or
 * the busiest would starve the others.
 */
export function createArrivals(whenFrameIsOver: (run: () => void) => void) {
  const waiting = new Set<string>();
  let isTaken = false;
  return {
    /** Whether this column may add a card now. If not, its turn comes soon. */
    mayCome(column: string): boolean {
      const [first = column] = waiting;
      if (isTaken || first !== column) {
        waiting.add(column);
        return false;
      }
      waiting.delete(column);
      isTaken = true;
      whenFrameIsOver(() => {
        isTaken = false;
      });
      return true;
    },
    /** The column no longer wants a turn. */
    giveUp(column: string): void {
      waiting.delete(column);
    },
  };
}

export const arrivals = createArrivals((run) => void requestAnimationFrame(run));
