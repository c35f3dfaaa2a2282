import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { takeHook } from '../../hooks/intake.ts';
import { MAX_HOOK_BYTES, readHook } from '../../hooks/read-hook.ts';
import { deleteSession, listEvents, renameSession, requireSession } from '../../sessions/sessions.ts';
import type { Context } from '../context.ts';
import { SeedEvent, SeedSession, toHook, toSeedEvent, toSeedSession } from './shapes.ts';
import { TAGS } from './tags.ts';

const Params = z.object({ id: z.string() });
const Ok = z.object({ ok: z.literal(true) });

/**
 * The routes that the two-way communication documents spell out, for scripts written for those: other names and
 * shapes over the same functions, nothing of their own.
 */
export const compatSessionRoutes: FastifyPluginAsyncZod<Context> = async (app, context) => {
  app.post(
    '/events',
    {
      bodyLimit: MAX_HOOK_BYTES,
      config: { access: 'hook' },
      schema: { tags: TAGS, body: SeedEvent, response: { 200: Ok } },
    },
    async ({ body }) => {
      // these events only tell; nobody waits for what their answer would say
      await takeHook(
        readHook(Buffer.from(JSON.stringify(toHook(body)))),
        { ...context.intake, responders: [] },
        { onHangUp: () => undefined },
      );
      return { ok: true as const };
    },
  );

  app.get(
    '/sessions',
    { schema: { tags: TAGS, response: { 200: z.object({ sessions: z.array(SeedSession) }) } } },
    async () => ({
      sessions: context.live.views().map(toSeedSession),
    }),
  );

  app.get(
    '/sessions/:id',
    { schema: { tags: TAGS, params: Params, response: { 200: SeedSession } } },
    async ({ params }) => toSeedSession(requireSession(context, params.id)),
  );

  app.get(
    '/sessions/:id/events',
    { schema: { tags: TAGS, params: Params, response: { 200: z.object({ events: z.array(SeedEvent) }) } } },
    async ({ params }) => ({
      events: listEvents(context, params.id, { after: 0, limit: 1000 }).events.map(toSeedEvent),
    }),
  );

  app.patch(
    '/sessions/:id',
    {
      schema: {
        tags: TAGS,
        params: Params,
        body: z.object({ session_name: z.string().trim().min(1).max(500) }),
        response: { 200: SeedSession },
      },
    },
    async ({ params, body }) => toSeedSession(await renameSession(context, params.id, body.session_name)),
  );

  app.delete('/sessions/:id', { schema: { tags: TAGS, params: Params, response: { 200: Ok } } }, async ({ params }) => {
    await deleteSession(context, params.id);
    return { ok: true as const };
  });
};
