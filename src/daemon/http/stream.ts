import { readStream } from '../../contract/routes/live.ts';
import type { Acting } from '../access/acting.ts';
import type { Devices } from '../access/devices.ts';
import type { Presence } from '../approvals/presence.ts';
import type { Board } from '../board/board.ts';
import type { Journal } from '../journal/journal.ts';
import type { Hub } from '../stream/hub.ts';
import { limitStream } from '../stream/limit-stream.ts';
import { prepareMaskedViews } from '../stream/masked-views.ts';
import { serveSse } from '../stream/sse.ts';
import type { Today } from '../transcripts/stats/today.ts';
import { routesOf } from './routes.ts';
import { serve } from './serve.ts';

interface StreamContext {
  hub: Hub;
  board: Board;
  journal: Journal;
  devices: Devices;
  today: Today;
  presence: Presence;
  acting: Acting;
}

export const streamRoutes = routesOf<StreamContext>((app, context) => {
  const { hub, board, journal, devices, today, presence, acting } = context;
  serve(app, readStream, async (request, reply) => {
    const { role, kind, projects } = request.device!;
    // An agent that reads along is not a page and must not evict the operator's.
    if (request.query.tab && role !== 'viewer' && kind !== 'browser') await acting.checkCaller(request);
    await board.prepareJson();
    if (role === 'viewer') await prepareMaskedViews(board.views());
    const lastSeen = Number(request.headers['last-event-id'] ?? request.query.after);
    reply.hijack();
    reply.raw.on(
      'close',
      devices.whenRevoked(request.device!.id, () => reply.raw.destroy()),
    );
    const isViewer = role === 'viewer';
    if (request.query.tab && !isViewer && projects.length === 0)
      reply.raw.on('close', presence.watch(request.query.tab, request.device!.id));
    serveSse({
      hub,
      response: reply.raw,
      lastSeen: Number.isSafeInteger(lastSeen) && lastSeen > 0 ? lastSeen : undefined,
      head: () => journal.committedSeq,
      sessions: () => board.views(),
      sessionsJson: () => board.viewsJson(),
      today: () => today.spent,
      isViewer,
      limit: projects.length === 0 ? undefined : limitStream(projects, board),
      picture: request.query.picture,
    });
    today.greet();
    return reply;
  });
});
