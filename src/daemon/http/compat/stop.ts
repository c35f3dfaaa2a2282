import { z } from 'zod';
import type { Stops } from '../../control/stops.ts';
import type { Journal } from '../../journal/journal.ts';
import type { LiveModel } from '../../sessions/live-model.ts';
import type { RemovedSessions } from '../../sessions/removed-sessions.ts';
import { requireSession } from '../../sessions/sessions.ts';
import { actorName } from '../actor-name.ts';
import { routesOf } from '../routes.ts';
import { TAGS } from './tags.ts';

const Params = z.object({ id: z.string() });
const Requested = z.object({ ok: z.boolean().describe('false: there was nothing to stop'), message: z.string() });

interface CompatStopContext {
  journal: Journal;
  live: LiveModel;
  left: RemovedSessions;
  stops: Stops;
}

/** How the documents stop a session, and how an agent's own loop asks whether it should stop. */
export const compatStopRoutes = routesOf<CompatStopContext>((app, context) => {
  const { stops, live } = context;
  for (const path of ['/sessions/:id/stop', '/sessions/:id/request-stop']) {
    app.post(
      path,
      { schema: { tags: TAGS, params: Params, response: { 200: Requested } } },
      async ({ params, device }) => {
        if (requireSession(context, params.id).endedAt !== null)
          return { ok: false, message: 'The session has already finished. Nothing was changed.' };
        await stops.stopSession(params.id, { by: actorName(device), reason: 'stopped_by_user', kill: false });
        return { ok: true, message: 'Stop requested' };
      },
    );
  }

  app.get(
    '/check-stop/:id',
    {
      config: { access: 'hook' },
      schema: { tags: TAGS, params: Params, response: { 200: z.object({ stop_requested: z.boolean() }) } },
    },
    // Until its next prompt, so that even a loop that rarely asks finds out.
    async ({ params }) => ({ stop_requested: (live.get(params.id)?.stop ?? null) !== null }),
  );
});
