import { Activity, Stats, StatsQuery } from '../../contract/stats.ts';
import type { Transcripts } from '../transcripts/transcripts.ts';
import type { Routes } from './routes.ts';

interface StatsContext {
  transcripts: Transcripts;
}

export const statsRoutes =
  ({ transcripts }: StatsContext): Routes =>
  async (app) => {
    const tags = ['history'];

    app.get(
      '/api/stats',
      { schema: { tags, querystring: StatsQuery, response: { 200: Stats } } },
      async ({ query }) => {
        const complete = transcripts.status().phase === 'idle';
        return { ...(await transcripts.query('stats', query)), complete };
      },
    );

    app.get(
      '/api/stats/activity',
      { schema: { tags, querystring: StatsQuery.omit({ by: true }), response: { 200: Activity } } },
      async ({ query }) => transcripts.query('activity', query),
    );
  };
