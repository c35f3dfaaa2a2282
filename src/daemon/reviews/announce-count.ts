import type { Hub } from '../stream/hub.ts';
import type { Reviews } from './reviews.ts';

/** Every call that no rule covers adds one: often enough for a count, too often to announce each. */
const EVERY_MS = 250;

/** Announces how many calls wait for review. */
export function announceReviewCount({ reviews, hub }: { reviews: Reviews; hub: Hub }): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  reviews.onChange(() => {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (hub.clientCount > 0) hub.announce('reviews_changed', { pending: reviews.count() });
    }, EVERY_MS);
  });
  return { stop: () => clearTimeout(timer) };
}
