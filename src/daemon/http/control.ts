import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { SessionProcessList, StopList, StopManyRequest, StopRequest, StopWait } from '../../contract/control.ts';
import { Stop } from '../../contract/sessions.ts';
import type { Stopping, Stops } from '../control/stops.ts';
import type { Setting } from '../data-dir.ts';
import { actorName } from './actor-name.ts';
import type { Routes } from './routes.ts';

/** Beyond the time that its next hook is waited for: whoever waits is told how it stands by then. */
const WAIT_MS = 15_000;

const Params = z.object({ id: z.string() });

interface ControlContext {
  stops: Stops;
  stopWaitSeconds: Setting<number>;
}

export const controlRoutes =
  ({ stops, stopWaitSeconds }: ControlContext): Routes =>
  async (app) => {
    const tags = ['control'];

    app.post(
      '/api/sessions/:id/stop',
      {
        schema: {
          tags,
          params: Params,
          body: StopRequest.nullish(),
          response: { 200: Stop.describe('It has stopped'), 202: Stop.describe('It is stopping') },
        },
      },
      async ({ params, body, device }, reply) => {
        const { wait, ...order } = body ?? StopRequest.parse({});
        const stopping = await stops.stopSession(params.id, { by: actorName(device), ...order });
        const stop = wait ? await outcomeOf(stopping) : stopping.stop;
        return reply.code(stop.state === 'stopped' ? 200 : 202).send(stop);
      },
    );

    app.get(
      '/api/sessions/:id/processes',
      {
        // command lines may hold what only the operator should read
        config: { access: 'operator' },
        schema: { tags, params: Params, response: { 200: SessionProcessList } },
      },
      ({ params }) => stops.processes(params.id),
    );

    app.get('/api/stop-wait', { schema: { tags, response: { 200: StopWait } } }, async () => ({
      seconds: stopWaitSeconds.get(),
    }));

    app.put('/api/stop-wait', { schema: { tags, body: StopWait, response: { 200: StopWait } } }, async ({ body }) => {
      stopWaitSeconds.set(body.seconds);
      return { seconds: stopWaitSeconds.get() };
    });

    app.post(
      '/api/stop',
      { schema: { tags, body: StopManyRequest, response: { 200: StopList, 202: StopList } } },
      async ({ body, device }, reply) => {
        const { all, project, state, group, ids, wait, ...order } = body;
        const filter = { all, project, state, group, ids };
        const stopping = await stops.stopMany(filter, { by: actorName(device), ...order });
        const list = await Promise.all(
          stopping.map(async (one) => ({ sessionId: one.sessionId, stop: wait ? await outcomeOf(one) : one.stop })),
        );
        return reply.code(list.every(({ stop }) => stop.state === 'stopped') ? 200 : 202).send({ stops: list });
      },
    );
  };

async function outcomeOf({ stop, told }: Stopping): Promise<Stop> {
  const giveUp = new AbortController();
  const waitMs = WAIT_MS + Math.max(0, (stop.waitsUntil ?? 0) - stop.requestedAt);
  const late = sleep(waitMs, stop, { signal: giveUp.signal }).catch(() => stop);
  const outcome = await Promise.race([told, late]);
  giveUp.abort();
  return outcome;
}
