import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { HooksChange, HooksPreview, HooksStatus } from '../../contract/hooks.ts';
import type { KnownDevice } from '../access/devices.ts';
import { actorName } from './actor-name.ts';
import type { Context } from './context.ts';

export const hookRoutes: FastifyPluginAsyncZod<Context> = async (app, { hooks, terminal, record }) => {
  async function note(name: string, device: KnownDevice | undefined, { path }: HooksStatus): Promise<void> {
    const payload = { by: actorName(device), detail: path };
    await record({ sessionId: '', source: 'operator', name: `hooks.${name}`, payload });
  }

  app.get('/api/hooks', { schema: { tags: ['hooks'], response: { 200: HooksStatus } } }, () => hooks.status());
  app.get(
    '/api/hooks/preview',
    // around what changes it shows lines of the person's settings, and keys of theirs may stand there
    {
      config: { access: 'operator' },
      schema: {
        tags: ['hooks'],
        querystring: z.object({ change: HooksChange.default('install') }),
        response: { 200: HooksPreview },
      },
    },
    ({ query }) => hooks.preview(query.change),
  );
  app.post(
    '/api/hooks/install',
    { schema: { tags: ['hooks'], response: { 200: HooksStatus } } },
    async ({ device }) => {
      const status = await hooks.install();
      await note('installed', device, status);
      return status;
    },
  );
  app.post('/api/hooks/remove', { schema: { tags: ['hooks'], response: { 200: HooksStatus } } }, async ({ device }) => {
    const status = await hooks.remove();
    // nothing of our hooks stays behind in sessions that run
    terminal.stopListening();
    await note('removed', device, status);
    return status;
  });
};
