import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { Activity, Stats, StatsQuery } from '../../contract/stats.ts';
import type { Context } from './context.ts';

export const statsRoutes: FastifyPluginAsyncZod<Context> = async (app, { transcripts }) => {
  const tags = ['history'];

  app.get('/api/stats', { schema: { tags, querystring: StatsQuery, response: { 200: Stats } } }, async ({ query }) => {
    const complete = transcripts.status().phase === 'idle';
    return { ...(await transcripts.query('stats', query)), complete };
  });

  app.get(
    '/api/stats/activity',
    { schema: { tags, querystring: StatsQuery.omit({ by: true }), response: { 200: Activity } } },
    async ({ query }) => transcripts.query('activity', query),
  );
};
