import * as routes from '../../contract/routes/reviews.ts';
import type { Reviews } from '../reviews/reviews.ts';
import { actorName } from './actor-name.ts';
import { routesOf } from './routes.ts';
import { serve } from './serve.ts';

interface ReviewsContext {
  reviews: Reviews;
}

export const reviewRoutes = routesOf<ReviewsContext>((app, { reviews }) => {
  serve(app, routes.listReviews, () => ({ groups: reviews.groups() }));
  serve(app, routes.countReviews, () => ({ pending: reviews.count() }));
  serve(app, routes.decideReviews, ({ body, device }) => reviews.decide(body, actorName(device)));
});
