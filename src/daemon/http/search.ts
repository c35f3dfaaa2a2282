import { SearchPage, SearchQuery } from '../../contract/search.ts';
import type { LiveModel } from '../sessions/live-model.ts';
import type { Transcripts } from '../transcripts/transcripts.ts';
import { clock, runningIds } from './history.ts';
import type { Routes } from './routes.ts';

interface SearchContext {
  transcripts: Transcripts;
  live: LiveModel;
}

export const searchRoutes =
  ({ transcripts, live }: SearchContext): Routes =>
  async (app) => {
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
