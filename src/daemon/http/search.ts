import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { SearchPage, SearchQuery } from '../../contract/search.ts';
import type { Context } from './context.ts';
import { clock, runningIds } from './history.ts';

export const searchRoutes: FastifyPluginAsyncZod<Context> = async (app, { transcripts, live }) => {
  app.get(
    '/api/search',
    { schema: { tags: ['history'], querystring: SearchQuery, response: { 200: SearchPage } } },
    async ({ query }) => {
      const complete = transcripts.status().phase === 'idle';
      const page = await transcripts.query('search', { ...query, ...clock(), live: runningIds(live) });
      return { ...page, complete };
    },
  );
};
