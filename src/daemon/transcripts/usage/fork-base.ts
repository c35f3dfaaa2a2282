import type { CostState } from './cost-state.ts';
import { COUNTS } from './totals.ts';

/** Another session's sum with the same start, so one of the two continued from the other. */
export interface RelatedState extends CostState {
  /** When its transcript was created. */
  bornMs: number;
}

export interface Fork {
  /** The session's first sum. */
  first: CostState;
  bornMs: number;
  /** The session most of its initial messages come from, if any. */
  parentId: string | null;
}

/** The sum a forked session continued from. undefined: it started at zero. */
export function forkBase({ first, bornMs, parentId }: Fork, related: readonly RelatedState[]): CostState | undefined {
  const possible = related.filter((state) => {
    if (state.startTime !== first.startTime || state.bornMs >= bornMs) return false;
    // the fork had been running at least since its transcript was created when it wrote its first sum
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
