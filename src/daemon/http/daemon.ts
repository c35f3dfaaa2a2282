import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { DaemonStatus } from '../../contract/daemon.ts';
import type { Context } from './context.ts';

export const daemonRoutes: FastifyPluginAsyncZod<Context> = async (app, { status }) => {
  app.get(
    '/healthz',
    { config: { access: 'open' }, schema: { tags: ['daemon'], response: { 200: z.object({ ok: z.boolean() }) } } },
    async () => ({ ok: true }),
  );

  app.get('/api/status', { schema: { tags: ['daemon'], response: { 200: DaemonStatus } } }, async () => status());

  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger());
};
