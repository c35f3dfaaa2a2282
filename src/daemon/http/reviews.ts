import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { ReviewDecision, ReviewGroups, ReviewsDecided } from '../../contract/reviews.ts';
import { actorName } from './actor-name.ts';
import type { Context } from './context.ts';

export const reviewRoutes: FastifyPluginAsyncZod<Context> = async (app, { reviews }) => {
  const tags = ['reviews'];
  app.get('/api/reviews', { schema: { tags, response: { 200: ReviewGroups } } }, async () => ({
    groups: reviews.groups(),
  }));
  app.post(
    '/api/reviews/decide',
    { schema: { tags, body: ReviewDecision, response: { 200: ReviewsDecided } } },
    async ({ body, device }) => reviews.decide(body, actorName(device)),
  );
};
