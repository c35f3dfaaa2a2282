import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { StopList, StopManyRequest, StopRequest } from '../../contract/control.ts';
import { Stop } from '../../contract/sessions.ts';
import type { Stopping } from '../control/stops.ts';
import { actorName } from './actor-name.ts';
import type { Context } from './context.ts';

/** A session without a process here stops when it hears of it; whoever waits is told how it stands by then. */
const WAIT_MS = 15_000;

export const controlRoutes: FastifyPluginAsyncZod<Context> = async (app, { stops }) => {
  const tags = ['control'];

  app.post(
    '/api/sessions/:id/stop',
    {
      schema: {
        tags,
        params: z.object({ id: z.string() }),
        body: StopRequest.nullish(),
        response: { 200: Stop.describe('It has stopped'), 202: Stop.describe('It is stopping') },
      },
    },
    async ({ params, body, device }, reply) => {
      const { reason, kill = false, wait = false } = body ?? {};
      const stopping = await stops.stopSession(params.id, { by: actorName(device), reason, kill });
      const stop = wait ? await outcomeOf(stopping) : stopping.stop;
      return reply.code(stop.state === 'stopped' ? 200 : 202).send(stop);
    },
  );

  app.post(
    '/api/stop',
    { schema: { tags, body: StopManyRequest, response: { 200: StopList, 202: StopList } } },
    async ({ body, device }, reply) => {
      const { reason, kill, wait, ...filter } = body;
      const stopping = await stops.stopMany(filter, { by: actorName(device), reason, kill });
      const list = await Promise.all(
        stopping.map(async (one) => ({ sessionId: one.sessionId, stop: wait ? await outcomeOf(one) : one.stop })),
      );
      return reply.code(list.every(({ stop }) => stop.state === 'stopped') ? 200 : 202).send({ stops: list });
    },
  );
};

async function outcomeOf({ stop, done }: Stopping): Promise<Stop> {
  const giveUp = new AbortController();
  const late = sleep(WAIT_MS, stop, { signal: giveUp.signal }).catch(() => stop);
  const outcome = await Promise.race([done, late]);
  giveUp.abort();
  return outcome;
}
