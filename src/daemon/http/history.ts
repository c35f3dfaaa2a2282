import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { IndexStatus } from '../../contract/history.ts';
import type { Context } from './context.ts';

export const historyRoutes: FastifyPluginAsyncZod<Context> = async (app, { transcripts }) => {
  app.get('/api/history/status', { schema: { tags: ['history'], response: { 200: IndexStatus } } }, async () =>
    transcripts.status(),
  );
};
