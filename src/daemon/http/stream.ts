import { readStream } from '../../contract/routes/live.ts';
import { STREAM_PAYLOADS } from '../../contract/stream.ts';
import type { Devices } from '../access/devices.ts';
import type { Presence } from '../approvals/presence.ts';
import type { Journal } from '../journal/journal.ts';
import type { LiveModel } from '../sessions/live-model.ts';
import type { Hub } from '../stream/hub.ts';
import { serveSse } from '../stream/sse.ts';
import type { Today } from '../transcripts/stats/today.ts';
import type { Routes } from './routes.ts';

interface StreamContext {
  hub: Hub;
  live: LiveModel;
  journal: Journal;
  devices: Devices;
  today: Today;
  presence: Presence;
}

export const streamRoutes =
  (context: StreamContext): Routes =>
  async (app) => {
    const { hub, live, journal, devices, today, presence } = context;
    const description =
      `Server-sent events: ${Object.keys(STREAM_PAYLOADS).join(', ')}. ` +
      'Ids are journal positions; Last-Event-ID replays what was missed.';
    const { path, tag, query: querystring } = readStream;
    app.get(path, { schema: { tags: [tag], description, querystring } }, (request, reply) => {
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
