/**
 * Lets one card appear on the board with each frame: each costs some milliseconds, and several at once make the page stumble. Columns
 * that want one take turns, or the busiest would keep the others waiting.
 */
export function createArrivals(whenFrameIsOver: (run: () => void) => void) {
  const waiting = new Set<string>();
  let isTaken = false;
  return {
    /** Whether this column may show one more now; if not, it is its turn soon. */
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
    /** It wants none any more. */
    giveUp(column: string): void {
      waiting.delete(column);
    },
  };
}

export const arrivals = createArrivals((run) => void requestAnimationFrame(run));
