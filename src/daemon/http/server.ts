import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import type { Approval } from '../../contract/approvals.ts';
import type { Acting } from '../access/acting.ts';
import type { KnownDevice } from '../access/devices.ts';
import { type Access, type Guard, NotForSessions } from '../access/guard.ts';
import type { Passkeys } from '../access/passkeys/passkeys.ts';
import type { SessionPrincipal } from '../access/session-tokens.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { Board } from '../board/board.ts';
import { DomainError } from '../errors.ts';
import type { BehindProxy } from './behind-proxy.ts';
import { boundJson } from './bounded-json.ts';
import { checkHead } from './check-head.ts';
import { describeApi } from './describe-api.ts';
import { toAnswer } from './errors.ts';
import { limitToProjects } from './limit-to-projects.ts';
import { localSessions } from './local-sessions.ts';
import { maskForViewers } from './mask-for-viewers.ts';
import { requirePasskeys } from './require-passkeys.ts';
import type { Routes } from './routes.ts';
import { safeHeaders } from './safe-headers.ts';
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
 * A client that posts just as we close its idle connection loses that hook, so the client does the closing. Without a timeout in our
 * responses, each uses its own.
 */
const NEVER_CLOSE_IDLE = 0;

/** The documents have a session's JSON where the app has its page. A browser asks for HTML; a script doesn't. */
function opensSessionPage({ method, url, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' && /^\/sessions\/[^/?]+(?:\?|$)/.test(url ?? '') && (headers.accept ?? '').includes('text/html')
  );
}

interface ServerOptions {
  guard: Guard;
  acting: Acting;
  board: Board;
  approvals: Pick<Approvals, 'get' | 'find'>;
  passkeys: Passkeys;
  publicUrls: () => readonly string[];
  behind: BehindProxy;
  /** Whether a notification pattern covers an approval. */
  isBlind: (approval: Approval) => boolean;
  /** What is answered before the framework sees it. */
  endpoint: (others: RequestListener) => RequestListener;
  routes: readonly Routes[];
  version: string;
  log: Logger;
}

export async function buildServer({
  guard,
  acting,
  board,
  approvals,
  passkeys,
  publicUrls,
  behind,
  isBlind,
  endpoint,
  routes,
  version,
  log,
}: ServerOptions): Promise<App> {
  const app = Fastify({
    bodyLimit: 1024 * 1024,
    forceCloseConnections: true,
    serverFactory: (others) => {
      const server = createServer({ keepAliveTimeout: NEVER_CLOSE_IDLE }, behind.wrap(endpoint(others)));
      // before what handles them
      server.on('upgrade', (request) => {
        // the guard refuses a request without a Host
        if (behind.adjust(request)) delete request.headers.host;
      });
      return server;
    },
    routerOptions: { maxParamLength: 300 },
    rewriteUrl: (request) => (opensSessionPage(request) ? '/' : (request.url ?? '/')),
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler<FastifyError | DomainError>((error, request, reply) => {
    const { status, body } = toAnswer(error);
    noteForSession(acting, request, error);
    if (status >= 500) log.error({ err: error, method: request.method, url: request.url }, 'request failed');
    reply.code(status).send(body);
  });
  app.decorateRequest('device', undefined);
  app.decorateRequest('principal', undefined);
  app.addHook('onRequest', async (request) => {
    const { method, headers } = request;
    checkHead(request.raw.rawHeaders);
    const usual = method === 'GET' || method === 'HEAD' ? 'viewer' : 'operator';
    const wanted = request.routeOptions.config.access ?? usual;
    const isForSessions = wanted === 'agent' || wanted === 'runner';
    request.principal = isForSessions ? guard.checkSession(wanted, { method, headers }) : undefined;
    if (request.principal) return;
    const access = isForSessions ? usual : wanted;
    try {
      request.device = guard.check({ access, method, headers });
    } catch (error) {
      if (isAct(access) && error instanceof DomainError && !(error instanceof NotForSessions))
        acting.noteRefused(request.raw, error);
      throw error;
    }
    if (isAct(access)) request.device = await acting.admit(request);
  });
  safeHeaders(app);
  boundJson(app);
  strictQueries(app);
  maskForViewers(app);
  localSessions(app, board);
  limitToProjects(app, { board, sessionOfApproval: (id) => approvals.get(id).sessionId });
  requirePasskeys(app, {
    passkeys,
    publicUrls,
    isBlind: (id) => isBlind(approvals.find(id)),
  });
  await describeApi(app, version);
  const typed = app.withTypeProvider<ZodTypeProvider>();
  for (const one of routes) await typed.register(one);
  return app;
}

const isAct = (access: Access): boolean => access === 'operator' || access === 'admin';

const NOT_ITS_OWN = new Set([403, 404]);

/** Records what an agent was refused, under the name of its session. */
export function noteForSession(acting: Acting, { raw, principal }: FastifyRequest, error: unknown): void {
  if (error instanceof NotForSessions) acting.noteSession(raw, error.sessionId, error);
  else if (principal?.kind === 'agent' && error instanceof DomainError && NOT_ITS_OWN.has(error.status))
    acting.noteSession(raw, principal.sessionId, error);
}
