import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { serveSse } from '../stream/sse.ts';
import type { Context } from './context.ts';

export const streamRoutes: FastifyPluginAsyncZod<Context> = async (app, context) => {
  const { hub, live, journal, devices, today, presence } = context;
  const description =
    'Server-sent events: summary, session_discovered, session_updated, session_completed, heartbeat. ' +
    'Ids are journal positions; Last-Event-ID replays what was missed.';
  const querystring = z.object({
    picture: z.enum(['whole', 'pieces']).default('pieces'),
    after: z.coerce.number().int().positive().optional().describe('As Last-Event-ID, which goes before it'),
    tab: z.string().min(1).max(64).optional().describe('The page that reads it: see POST /api/presence'),
  });
  app.get('/api/live/stream', { schema: { tags: ['live'], description, querystring } }, (request, reply) => {
    const lastSeen = Number(request.headers['last-event-id'] ?? request.query.after);
    reply.hijack();
    reply.raw.on(
      'close',
      devices.whenRevoked(request.device!.id, () => reply.raw.destroy()),
    );
    const isViewer = request.device!.role === 'viewer';
    if (request.query.tab && !isViewer) reply.raw.on('close', presence.watch(request.query.tab, request.device!.id));
    serveSse({
      hub,
      response: reply.raw,
      lastSeen: Number.isSafeInteger(lastSeen) && lastSeen > 0 ? lastSeen : undefined,
      head: () => journal.committedSeq,
      sessions: () => live.views(),
      sessionsJson: () => live.viewsJson(),
      today: () => today.spent,
      isViewer,
      picture: request.query.picture,
    });
    today.greet();
  });
};
