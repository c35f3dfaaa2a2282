import type { CostState } from './cost-state.ts';
import { COUNTS } from './totals.ts';

/** A sum of another session that has the same start, so that one of the two went on from the other. */
export interface RelatedState extends CostState {
  /** When the transcript was made that it stands in. */
  bornMs: number;
}

export interface Fork {
  /** The first sum of the session. */
  first: CostState;
  bornMs: number;
  /** The session most of whose messages it began with, if it began with any. */
  parentId: string | null;
}

/** The sum that a session went on from when it was forked. Undefined: it began with nothing. */
export function forkBase({ first, bornMs, parentId }: Fork, related: readonly RelatedState[]): CostState | undefined {
  const possible = related.filter((state) => {
    if (state.startTime !== first.startTime || state.bornMs >= bornMs) return false;
    // the fork had run at least since its transcript was made when it wrote its first sum
    const ranFor = Math.max(0, (first.at ?? bornMs) - bornMs);
    return state.duration + ranFor <= first.duration && isWithin(state, first);
  });
  const ofParent = possible.filter(({ sessionId }) => sessionId === parentId);
  const [last] = (ofParent.length > 0 ? ofParent : possible).toSorted((a, b) => b.duration - a.duration);
  return last;
}

function isWithin(one: CostState, other: CostState): boolean {
  return Object.entries(one.models).every(([model, used]) => {
    const more = other.models[model];
    return more !== undefined && COUNTS.every((count) => used[count] <= more[count]);
  });
}
