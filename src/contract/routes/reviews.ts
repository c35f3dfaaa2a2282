import { ReviewCount, ReviewDecision, ReviewGroups, ReviewsDecided } from '../reviews.ts';
import { route } from './route.ts';

const tag = 'reviews';

export const listReviews = route({ method: 'GET', path: '/api/reviews', tag, answer: ReviewGroups });
export const countReviews = route({ method: 'GET', path: '/api/reviews/count', tag, answer: ReviewCount });
export const decideReviews = route({
  method: 'POST',
  path: '/api/reviews/decide',
  tag,
  body: ReviewDecision,
  answer: ReviewsDecided,
});
