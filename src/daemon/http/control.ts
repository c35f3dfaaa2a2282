import { setTimeout as sleep } from 'node:timers/promises';
import { StopRequest } from '../../contract/control.ts';
import * as routes from '../../contract/routes/control.ts';
import type { Stop } from '../../contract/sessions.ts';
import type { Stopping, Stops } from '../control/stops.ts';
import type { Setting } from '../data-dir.ts';
import { actorName } from './actor-name.ts';
import { routesOf } from './routes.ts';
import { serve } from './serve.ts';

/** On top of the time we wait for its next hook: by then the caller is told the status. */
const WAIT_MS = 15_000;

interface ControlContext {
  stops: Stops;
  stopWaitSeconds: Setting<number>;
}

export const controlRoutes = routesOf<ControlContext>((app, { stops, stopWaitSeconds }) => {
  serve(app, routes.stopSession, async ({ params, body, device }, reply) => {
    const { wait, ...order } = body ?? StopRequest.parse({});
    const stopping = await stops.stopSession(params.id, { by: actorName(device), ...order });
    const stop = wait ? await outcomeOf(stopping) : stopping.stop;
    if (stop.state !== 'stopped') reply.code(routes.stopSession.pendingStatus);
    return stop;
  });

  serve(app, routes.stopMany, async ({ body, device }, reply) => {
    const { all, project, state, group, ids, wait, ...order } = body;
    const filter = { all, project, state, group, ids };
    const stopping = await stops.stopMany(filter, { by: actorName(device), ...order });
    const list = await Promise.all(
      stopping.map(async (one) => ({ sessionId: one.sessionId, stop: wait ? await outcomeOf(one) : one.stop })),
    );
    if (!list.every(({ stop }) => stop.state === 'stopped')) reply.code(routes.stopMany.pendingStatus);
    return { stops: list };
  });

  serve(app, routes.listSessionProcesses, ({ params }) => stops.processes(params.id));

  serve(app, routes.getStopWait, () => ({ seconds: stopWaitSeconds.get() }));
  serve(app, routes.setStopWait, ({ body }) => {
    stopWaitSeconds.set(body.seconds);
    return { seconds: stopWaitSeconds.get() };
  });
});

async function outcomeOf({ stop, told }: Stopping): Promise<Stop> {
  const giveUp = new AbortController();
  const waitMs = WAIT_MS + Math.max(0, (stop.waitsUntil ?? 0) - stop.requestedAt);
  const late = sleep(waitMs, stop, { signal: giveUp.signal }).catch(() => stop);
  const outcome = await Promise.race([told, late]);
  giveUp.abort();
  return outcome;
}
