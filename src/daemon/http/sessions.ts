import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { SessionDecisions } from '../../contract/decisions.ts';
import { LiveSession, SessionEvents, SessionList, SessionPatch } from '../../contract/sessions.ts';
import { Timeline } from '../../contract/timeline.ts';
import { deleteSession, listEvents, renameSession, requireSession, timelineOf } from '../sessions/sessions.ts';
import type { Context } from './context.ts';
import { sendJson } from './send-json.ts';

const Params = z.object({ id: z.string() });
const EventsQuery = z.object({
  after: z.coerce.number().int().min(0).default(0),
  before: z.coerce.number().int().min(1).optional().describe('The last ones before this, instead'),
  from: z.enum(['start', 'end']).default('start').describe('end: the newest ones, instead'),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
  brief: z.stringbool().default(false).describe('Long strings and lists in the payloads are cut'),
});
const TimelineQuery = z.object({
  limit: z.coerce.number().int().min(1).max(20_000).default(2000).describe('So many of its last events'),
});

export const sessionRoutes: FastifyPluginAsyncZod<Context> = async (app, context) => {
  const tags = ['sessions'];

  app.get('/api/sessions', { schema: { tags, response: { 200: SessionList } } }, async (_request, reply) =>
    sendJson(reply, context.live.listJson()),
  );

  app.get(
    '/api/sessions/:id',
    { schema: { tags, params: Params, response: { 200: LiveSession } } },
    async ({ params }) => requireSession(context, params.id),
  );

  app.patch(
    '/api/sessions/:id',
    { schema: { tags, params: Params, body: SessionPatch, response: { 200: LiveSession } } },
    async ({ params, body }) => renameSession(context, params.id, body.title),
  );

  app.delete(
    '/api/sessions/:id',
    { schema: { tags, params: Params, response: { 204: z.null() } } },
    async ({ params }, reply) => {
      await deleteSession(context, params.id);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/sessions/:id/decisions',
    { schema: { tags, params: Params, response: { 200: SessionDecisions } } },
    async ({ params }) => context.decisionCounts.of(params.id),
  );

  app.get(
    '/api/sessions/:id/timeline',
    { schema: { tags, params: Params, querystring: TimelineQuery, response: { 200: Timeline } } },
    async ({ params, query }) => timelineOf(context, params.id, query),
  );

  app.get(
    '/api/sessions/:id/events',
    { schema: { tags, params: Params, querystring: EventsQuery, response: { 200: SessionEvents } } },
    async ({ params, query }) => listEvents(context, params.id, query),
  );
};
