import { reviewRoutes } from '../http/reviews.ts';
import { announceReviewCount } from '../reviews/announce-count.ts';
import { Reviews } from '../reviews/reviews.ts';
import type { Base } from './base.ts';
import type { CorePart } from './core.ts';
import type { RulesPart } from './rules.ts';

export type ReviewsPart = ReturnType<typeof reviewsPart>;

/** Calls that no rule matched, judged afterwards. */
export function reviewsPart({ now }: Base, { core, rules }: Pick<CorePart, 'core'> & Pick<RulesPart, 'rules'>) {
  const reviews = new Reviews({ core, rules, now });
  let count: { stop(): void } | undefined;
  return {
    reviews,
    routes: [reviewRoutes({ reviews })],
    start() {
      count = announceReviewCount({ reviews, hub: core.hub });
    },
    stop: () => count?.stop(),
  };
}
