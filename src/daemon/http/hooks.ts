import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { HooksPreview, HooksStatus } from '../../contract/hooks.ts';
import { MAX_HOOK_BYTES, takeHook } from '../hooks/intake.ts';
import type { Context } from './context.ts';

export const hookRoutes: FastifyPluginAsyncZod<Context> = async (app, { intake: taken, hooks }) => {
  await app.register(async (intake) => {
    // the bytes are kept as they came, so they are parsed once, and not by the framework
    intake.removeAllContentTypeParsers();
    intake.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    intake.post(
      '/api/live/hook',
      { bodyLimit: MAX_HOOK_BYTES, config: { access: 'hook' }, schema: { hide: true } },
      async (request, reply) => {
        const bytes = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
        const answer = await takeHook(bytes, taken, (listener) => reply.raw.once('close', listener));
        reply.header('content-type', 'application/json');
        return JSON.stringify(answer);
      },
    );
  });

  app.get('/api/hooks', { schema: { tags: ['hooks'], response: { 200: HooksStatus } } }, () => hooks.status());
  app.get('/api/hooks/preview', { schema: { tags: ['hooks'], response: { 200: HooksPreview } } }, () =>
    hooks.preview(),
  );
  app.post('/api/hooks/install', { schema: { tags: ['hooks'], response: { 200: HooksStatus } } }, () =>
    hooks.install(),
  );
  app.post('/api/hooks/remove', { schema: { tags: ['hooks'], response: { 200: HooksStatus } } }, () => hooks.remove());
};
