import type { FastifyRequest } from 'fastify';
import * as routes from '../../contract/routes/orchestration.ts';
import type { Prompts } from '../control/prompts.ts';
import type { Actor } from '../orchestrator/actor.ts';
import type { Orchestrator } from '../orchestrator/orchestrator.ts';
import { sendMessage } from '../orchestrator/send-message.ts';
import { actorName } from './actor-name.ts';
import type { Routes } from './routes.ts';
import { serve } from './serve.ts';

/** A person by the device they use, or a session by its own token. */
export function actorOf({ principal, device }: Pick<FastifyRequest, 'principal' | 'device'>): Actor {
  return principal ? { by: `session ${principal.sessionId}`, principal } : { by: actorName(device) };
}

export interface OrchestrationRoutesOptions {
  orchestrator: Orchestrator;
  prompts: Prompts;
  /** Whether no tool may run in this folder while the daemon is away. */
  waitsForDaemon: (cwd: string) => Promise<boolean>;
}

export const orchestrationRoutes =
  ({ orchestrator, prompts, waitsForDaemon }: OrchestrationRoutesOptions): Routes =>
  async (app) => {
    serve(app, routes.enrollRunner, async (request) => ({
      token: await orchestrator.enroll(request.body, actorOf(request)),
      waitsForDaemon: await waitsForDaemon(request.body.cwd),
    }));
    serve(app, routes.startSession, (request) => orchestrator.start(request.body, actorOf(request)));
    serve(app, routes.listOrchestrated, async (request) => ({
      sessions: await orchestrator.list(request.query, actorOf(request)),
    }));
    serve(app, routes.waitForSessions, (request, reply) => {
      const hungUp = new AbortController();
      reply.raw.once('close', () => hungUp.abort());
      return orchestrator.wait(request.query, actorOf(request), hungUp.signal);
    });
    serve(app, routes.getOrchestrated, (request) =>
      orchestrator.lookUp(request.params.id, actorOf(request), request.query.project),
    );
    serve(app, routes.resumeSession, (request) =>
      orchestrator.resume(request.params.id, request.body, actorOf(request), request.query.project),
    );
    serve(app, routes.forkSession, (request) =>
      orchestrator.fork(request.params.id, request.body, actorOf(request), request.query.project),
    );
    serve(app, routes.rewindSession, (request) =>
      orchestrator.rewind(request.params.id, request.body, actorOf(request), request.query.project),
    );
    serve(app, routes.sendMessage, async ({ params, query, body, device }) => {
      // a name is only known here; any other session is called by its id
      const { id } = (await orchestrator.findRef(params.id, query.project)) ?? params;
      return sendMessage(id, body, actorName(device), { orchestrator, prompts });
    });
    serve(app, routes.getSessionResult, (request) =>
      orchestrator.result(request.params.id, actorOf(request), request.query.project),
    );
    serve(app, routes.changeSessionSettings, (request) =>
      orchestrator.settings(request.params.id, request.body, actorOf(request), request.query.project),
    );
    serve(app, routes.archiveSession, (request) =>
      orchestrator.archive(request.params.id, actorOf(request), request.query.project),
    );
    serve(app, routes.cancelSession, (request) =>
      orchestrator.cancel(request.params.id, actorOf(request), request.query.project),
    );
    serve(app, routes.deleteOrchestrated, async (request) => {
      await orchestrator.delete(request.params.id, actorOf(request), request.query.project);
      return null;
    });
  };
