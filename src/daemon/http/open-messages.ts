import { listOpenMessages } from '../../contract/routes/messages.ts';
import type { Runners } from '../drivers/runner/runners.ts';
import type { Routes } from './routes.ts';
import { serve } from './serve.ts';

export const openMessageRoutes =
  ({ runners }: { runners: Runners }): Routes =>
  async (app) => {
    serve(app, listOpenMessages, ({ params: { id } }) => {
      const deltas = runners.of(id)?.open.deltas() ?? [];
      return { deltas: deltas.map((delta) => ({ ...delta, sessionId: id })) };
    });
  };
