import { z } from 'zod';
import { DaemonStatus } from '../../contract/daemon.ts';
import type { Routes } from './routes.ts';

interface DaemonContext {
  status: () => DaemonStatus;
}

export const daemonRoutes =
  ({ status }: DaemonContext): Routes =>
  async (app) => {
    app.get(
      '/healthz',
      { config: { access: 'open' }, schema: { tags: ['daemon'], response: { 200: z.object({ ok: z.boolean() }) } } },
      async () => ({ ok: true }),
    );

    app.get('/api/status', { schema: { tags: ['daemon'], response: { 200: DaemonStatus } } }, async () => status());

    app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  };
