import { readStream } from '../../contract/routes/live.ts';
import type { Devices } from '../access/devices.ts';
import type { Presence } from '../approvals/presence.ts';
import type { Journal } from '../journal/journal.ts';
import type { LiveModel } from '../sessions/live-model.ts';
import type { Hub } from '../stream/hub.ts';
import { serveSse } from '../stream/sse.ts';
import type { Today } from '../transcripts/stats/today.ts';
import { routesOf } from './routes.ts';
import { serve } from './serve.ts';

interface StreamContext {
  hub: Hub;
  live: LiveModel;
  journal: Journal;
  devices: Devices;
  today: Today;
  presence: Presence;
}

export const streamRoutes = routesOf<StreamContext>((app, context) => {
  const { hub, live, journal, devices, today, presence } = context;
  serve(app, readStream, async (request, reply) => {
    await live.prepareJson();
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
    return reply;
  });
});
