import { z } from 'zod';
import type { DaemonStatus } from '../../contract/daemon.ts';
import * as routes from '../../contract/routes/daemon.ts';
import { routesOf } from './routes.ts';
import { serve } from './serve.ts';

interface DaemonContext {
  status: () => DaemonStatus;
}

export const daemonRoutes = routesOf<DaemonContext>((app, { status }) => {
  app.get(
    '/healthz',
    { config: { access: 'open' }, schema: { tags: ['daemon'], response: { 200: z.object({ ok: z.boolean() }) } } },
    async () => ({ ok: true }),
  );

  serve(app, routes.getStatus, () => status());
  serve(app, routes.getOpenApi, () => app.swagger());
});
