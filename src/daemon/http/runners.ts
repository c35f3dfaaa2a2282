import type { FastifyRequest } from 'fastify';
import * as routes from '../../contract/routes/orchestration.ts';
import type { Runner, Runners } from '../drivers/runner/runners.ts';
import { DomainError } from '../errors.ts';
import type { Origins } from '../peers/origins.ts';
import type { Routes } from './routes.ts';
import { serve } from './serve.ts';

export const runnerRoutes =
  ({ runners, origins }: { runners: Runners; origins: Origins }): Routes =>
  async (app) => {
    /** The token lies in a file that the agent can read too, so what counts is the process that shows it. */
    const runnerOf = async ({ principal, raw }: FastifyRequest, id: string): Promise<Runner> => {
      const runner = runners.require(id, principal?.sessionId ?? '');
      const expected = runners.processOf(runner);
      const { peer } = await origins.lineageOf(raw.socket);
      const isOther =
        peer.kind === 'process' && expected && (peer.pid !== expected.pid || peer.start !== expected.start);
      if (isOther) throw new DomainError('runner.not_it', 403, "This request doesn't come from the session's runner.");
      return runner;
    };

    serve(app, routes.syncRunner, async (request) =>
      runners.sync(await runnerOf(request, request.params.id), request.body),
    );
    serve(app, routes.readRunnerCommands, async (request, reply) => {
      const runner = await runnerOf(request, request.params.id);
      reply.hijack();
      const { raw } = reply;
      raw.writeHead(200, { 'content-type': 'application/x-ndjson' });
      const detach = runners.attach(runner, (command) => void raw.write(`${JSON.stringify(command)}\n`));
      raw.once('close', detach);
      return reply;
    });
  };
