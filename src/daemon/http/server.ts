import { createServer, type IncomingMessage } from 'node:http';
import fastifySwagger from '@fastify/swagger';
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import {
  jsonSchemaTransform,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import type { KnownDevice } from '../access/devices.ts';
import type { Access } from '../access/guard.ts';
import type { SessionPrincipal } from '../access/session-tokens.ts';
import { DomainError } from '../errors.ts';
import { accessRoutes } from './access.ts';
import { agentRoutes } from './agents.ts';
import { approvalRoutes, waitingRoutes } from './approvals.ts';
import { auditRoutes } from './audit.ts';
import { boundJson } from './bounded-json.ts';
import { compatApprovalRoutes } from './compat/approvals.ts';
import { compatReviewRoutes } from './compat/reviews.ts';
import { compatRuleRoutes } from './compat/rules.ts';
import { compatSessionRoutes } from './compat/sessions.ts';
import { compatSocket } from './compat/socket.ts';
import { compatStopRoutes } from './compat/stop.ts';
import type { Context } from './context.ts';
import { controlRoutes } from './control.ts';
import { daemonRoutes } from './daemon.ts';
import { toAnswer } from './errors.ts';
import { historyRoutes } from './history.ts';
import { hookDoor } from './hook-endpoint.ts';
import { hookRoutes } from './hooks.ts';
import { maskForViewers } from './mask-for-viewers.ts';
import { messageRoutes } from './messages.ts';
import { priceRoutes } from './prices.ts';
import { projectRoutes } from './projects.ts';
import { promptRoutes } from './prompts.ts';
import { reviewRoutes } from './reviews.ts';
import { ruleRoutes } from './rules.ts';
import { searchRoutes } from './search.ts';
import { sessionRoutes } from './sessions.ts';
import { staticRoutes } from './static.ts';
import { statsRoutes } from './stats.ts';
import { streamRoutes } from './stream.ts';
import { strictQueries } from './strict-queries.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Default: viewers may GET, operators may do the rest. */
    access?: Access;
  }
  interface FastifyRequest {
    device: KnownDevice | undefined;
    /** An orchestrated session, or its runner, that asks with its own token. */
    principal: SessionPrincipal | undefined;
  }
}

export type App = FastifyInstance;

/**
 * A client that posts just as we close its idle connection loses that hook, so the client is the one that closes. Without
 * a time of ours in the answers each goes by its own.
 */
const NEVER_CLOSE_IDLE = 0;

/**
 * The two-way communication documents have a session's JSON where the app has its page. A browser that opens the address
 * says that it wants a page; a script does not.
 */
function opensSessionPage({ method, url, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' && /^\/sessions\/[^/?]+(?:\?|$)/.test(url ?? '') && (headers.accept ?? '').includes('text/html')
  );
}

export async function buildServer(context: Context, { version, log }: { version: string; log: Logger }): Promise<App> {
  const app = Fastify({
    bodyLimit: 1024 * 1024,
    forceCloseConnections: true,
    serverFactory: (others) => createServer({ keepAliveTimeout: NEVER_CLOSE_IDLE }, hookDoor(context, { log, others })),
    routerOptions: { maxParamLength: 300 },
    rewriteUrl: (request) => (opensSessionPage(request) ? '/' : (request.url ?? '/')),
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler<FastifyError | DomainError>((error, request, reply) => {
    const { status, body } = toAnswer(error);
    if (status >= 500) log.error({ err: error, method: request.method, url: request.url }, 'request failed');
    reply.code(status).send(body);
  });
  app.decorateRequest('device', undefined);
  app.decorateRequest('principal', undefined);
  app.addHook('onRequest', async (request) => {
    const { method, headers } = request;
    const usual = method === 'GET' || method === 'HEAD' ? 'viewer' : 'operator';
    const wanted = request.routeOptions.config.access ?? usual;
    const isForSessions = wanted === 'agent' || wanted === 'runner';
    request.principal = isForSessions ? context.guard.checkSession(wanted, { method, headers }) : undefined;
    if (request.principal) return;
    const access = isForSessions ? usual : wanted;
    try {
      request.device = context.guard.check({ access, method, headers });
    } catch (error) {
      if (access === 'operator' && error instanceof DomainError) context.acting.noteRefused(request.raw, error);
      throw error;
    }
    if (access === 'operator') request.device = await context.acting.admit(request);
  });
  boundJson(app);
  strictQueries(app);
  maskForViewers(app);
  await app.register(fastifySwagger, {
    openapi: {
      info: { title: 'Ground Control', version, description: 'One API for the web app, the CLI and scripts.' },
    },
    transform: jsonSchemaTransform,
  });
  const typed = app.withTypeProvider<ZodTypeProvider>();
  await typed.register(hookRoutes, context);
  await typed.register(sessionRoutes, context);
  await typed.register(promptRoutes, context);
  await typed.register(projectRoutes, context);
  await typed.register(approvalRoutes, context);
  await typed.register(waitingRoutes, context);
  await typed.register(controlRoutes, context);
  await typed.register(auditRoutes, context);
  await typed.register(agentRoutes, context);
  await typed.register(ruleRoutes, context);
  await typed.register(reviewRoutes, context);
  await typed.register(priceRoutes, context);
  await typed.register(searchRoutes, context);
  await typed.register(statsRoutes, context);
  await typed.register(streamRoutes, context);
  await typed.register(accessRoutes, context);
  await typed.register(historyRoutes, context);
  await typed.register(messageRoutes, context);
  await typed.register(daemonRoutes, context);
  await typed.register(compatSessionRoutes, context);
  await typed.register(compatApprovalRoutes, context);
  await typed.register(compatRuleRoutes, context);
  await typed.register(compatReviewRoutes, context);
  await typed.register(compatStopRoutes, context);
  await typed.register(staticRoutes, context);
  compatSocket(app, context);
  return app;
}
