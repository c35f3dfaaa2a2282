import type { Hub } from '../stream/hub.ts';
import type { Reviews } from './reviews.ts';

/** New ones come with every call that no rule covers: often enough for a count, too often to tell each. */
const EVERY_MS = 250;

/** Tells those who watch how many calls wait to be judged. */
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
