import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as routes from '../../contract/routes/reviews.ts';
import { actorName } from './actor-name.ts';
import type { Context } from './context.ts';
import { serve } from './serve.ts';

export const reviewRoutes: FastifyPluginAsyncZod<Context> = async (app, { reviews }) => {
  serve(app, routes.listReviews, () => ({ groups: reviews.groups() }));
  serve(app, routes.countReviews, () => ({ pending: reviews.count() }));
  serve(app, routes.decideReviews, ({ body, device }) => reviews.decide(body, actorName(device)));
};
