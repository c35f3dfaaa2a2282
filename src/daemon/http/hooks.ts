import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { HooksPreview, HooksStatus } from '../../contract/hooks.ts';
import type { Context } from './context.ts';

export const hookRoutes: FastifyPluginAsyncZod<Context> = async (app, { hooks, prompts }) => {
  app.get('/api/hooks', { schema: { tags: ['hooks'], response: { 200: HooksStatus } } }, () => hooks.status());
  app.get(
    '/api/hooks/preview',
    // around what changes it shows lines of the person's settings, and keys of theirs may stand there
    { config: { access: 'operator' }, schema: { tags: ['hooks'], response: { 200: HooksPreview } } },
    () => hooks.preview(),
  );
  app.post('/api/hooks/install', { schema: { tags: ['hooks'], response: { 200: HooksStatus } } }, () =>
    hooks.install(),
  );
  app.post('/api/hooks/remove', { schema: { tags: ['hooks'], response: { 200: HooksStatus } } }, async () => {
    const status = await hooks.remove();
    prompts.stopListening();
    return status;
  });
};
