import * as routes from '../../contract/routes/reviews.ts';
import type { Reviews } from '../reviews/reviews.ts';
import { actorName } from './actor-name.ts';
import type { Routes } from './routes.ts';
import { serve } from './serve.ts';

interface ReviewsContext {
  reviews: Reviews;
}

export const reviewRoutes =
  ({ reviews }: ReviewsContext): Routes =>
  async (app) => {
    serve(app, routes.listReviews, () => ({ groups: reviews.groups() }));
    serve(app, routes.countReviews, () => ({ pending: reviews.count() }));
    serve(app, routes.decideReviews, ({ body, device }) => reviews.decide(body, actorName(device)));
  };
