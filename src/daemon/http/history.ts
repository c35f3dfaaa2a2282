import * as routes from '../../contract/routes/history.ts';
import type { LiveModel } from '../sessions/live-model.ts';
import type { Transcripts } from '../transcripts/transcripts.ts';
import { routesOf } from './routes.ts';
import { serve } from './serve.ts';

interface HistoryContext {
  transcripts: Transcripts;
  live: LiveModel;
}

export const historyRoutes = routesOf<HistoryContext>((app, { transcripts, live }) => {
  const atThisMoment = () => ({ ...clock(), live: runningIds(live) });

  serve(app, routes.listHistory, ({ query }) => transcripts.query('history', { ...query, ...atThisMoment() }));
  serve(app, routes.getIndexStatus, () => transcripts.status());
  serve(app, routes.checkCosts, () => transcripts.query('checkCosts', {}));
  serve(app, routes.getHistoryDetail, ({ params }) =>
    transcripts.query('historyDetail', { id: params.id, live: runningIds(live) }),
  );

  serve(app, routes.search, async ({ query }) => {
    const complete = transcripts.status().phase === 'idle';
    return { ...(await transcripts.query('search', { ...query, ...atThisMoment() })), complete };
  });

  serve(app, routes.getStats, async ({ query }) => {
    const complete = transcripts.status().phase === 'idle';
    return { ...(await transcripts.query('stats', query)), complete };
  });
  serve(app, routes.getActivity, ({ query }) => transcripts.query('activity', query));
});

function runningIds(live: LiveModel): string[] {
  return live.views().flatMap(({ id, endedAt }) => (endedAt === null ? [id] : []));
}

/** `yesterday` in a query is the machine's. */
function clock(): { now: number; timeZone: string } {
  return { now: Date.now(), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
}
