import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { ReviewCount, ReviewDecision, ReviewGroups, ReviewsDecided } from '../../contract/reviews.ts';
import { actorName } from './actor-name.ts';
import type { Context } from './context.ts';

export const reviewRoutes: FastifyPluginAsyncZod<Context> = async (app, { reviews }) => {
  const tags = ['reviews'];
  app.get('/api/reviews', { schema: { tags, response: { 200: ReviewGroups } } }, async () => ({
    groups: reviews.groups(),
  }));
  app.get('/api/reviews/count', { schema: { tags, response: { 200: ReviewCount } } }, async () => ({
    pending: reviews.count(),
  }));
  app.post(
    '/api/reviews/decide',
    { schema: { tags, body: ReviewDecision, response: { 200: ReviewsDecided } } },
    async ({ body, device }) => reviews.decide(body, actorName(device)),
  );
};
