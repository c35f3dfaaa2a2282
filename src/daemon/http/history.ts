import { z } from 'zod';
import { CostCheck, HistoryDetail, HistoryPage, HistoryQuery, IndexStatus } from '../../contract/history.ts';
import type { LiveModel } from '../sessions/live-model.ts';
import type { Transcripts } from '../transcripts/transcripts.ts';
import type { Routes } from './routes.ts';

interface HistoryContext {
  transcripts: Transcripts;
  live: LiveModel;
}

export const historyRoutes =
  ({ transcripts, live }: HistoryContext): Routes =>
  async (app) => {
    const tags = ['history'];

    app.get(
      '/api/history',
      { schema: { tags, querystring: HistoryQuery, response: { 200: HistoryPage } } },
      async ({ query }) => transcripts.query('history', { ...query, ...clock(), live: runningIds(live) }),
    );

    app.get('/api/history/status', { schema: { tags, response: { 200: IndexStatus } } }, async () =>
      transcripts.status(),
    );

    app.get('/api/history/costs', { schema: { tags, response: { 200: CostCheck } } }, async () =>
      transcripts.query('checkCosts', {}),
    );

    app.get(
      '/api/history/:id',
      { schema: { tags, params: z.object({ id: z.string() }), response: { 200: HistoryDetail } } },
      async ({ params }) => transcripts.query('historyDetail', { id: params.id, live: runningIds(live) }),
    );
  };

export function runningIds(live: LiveModel): string[] {
  return live.views().flatMap(({ id, endedAt }) => (endedAt === null ? [id] : []));
}

/** What `yesterday` means in a query: the machine's. */
export function clock(): { now: number; timeZone: string } {
  return { now: Date.now(), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
}
