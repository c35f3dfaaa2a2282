import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as routes from '../../contract/routes/sessions.ts';
import { deleteSession, listEvents, renameSession, requireSession, timelineOf } from '../sessions/sessions.ts';
import type { Context } from './context.ts';
import { sendJson } from './send-json.ts';
import { serve } from './serve.ts';

export const sessionRoutes: FastifyPluginAsyncZod<Context> = async (app, context) => {
  serve(app, routes.listSessions, (_request, reply) => sendJson(reply, context.live.listJson()));
  serve(app, routes.getSession, ({ params }) => requireSession(context, params.id));
  serve(app, routes.renameSession, ({ params, body }) => renameSession(context, params.id, body.title));
  serve(app, routes.deleteSession, async ({ params }) => {
    await deleteSession(context, params.id);
    return null;
  });
  serve(app, routes.countSessionDecisions, ({ params }) => context.decisionCounts.of(params.id));
  serve(app, routes.getTimeline, ({ params, query }) => timelineOf(context, params.id, query));
  serve(app, routes.listSessionEvents, ({ params, query }) => listEvents(context, params.id, query));
};
