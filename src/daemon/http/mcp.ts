import type { FastifyInstance, FastifyRequest } from 'fastify';
import { StartSpec, WaitQuery } from '../../contract/orchestration.ts';
import type { McpBackend } from '../../mcp/backend.ts';
import type { Blueprints } from '../blueprints/blueprints.ts';
import type { Actor } from '../orchestrator/actor.ts';
import type { Orchestrator } from '../orchestrator/orchestrator.ts';
import { actorOf } from './orchestration.ts';
import { routesOf } from './routes.ts';

interface McpContext {
  orchestrator: Orchestrator;
  blueprints: Blueprints;
  /** Called with what an agent was refused: the protocol returns it as a tool error. */
  onRefused: (request: FastifyRequest, error: unknown) => void;
  version: string;
}

/** MCP over HTTP: one request, one answer, no MCP session. Agents use their own token, operators theirs. */
export const mcpRoutes = routesOf<McpContext>((app, context) => {
  const config = { access: 'agent' } as const;
  (app as unknown as FastifyInstance).post('/mcp', { config, schema: { hide: true } }, async (request, reply) => {
    // only those who use it pay for loading it
    const [{ NodeStreamableHTTPServerTransport }, { createMcpServer }] = await Promise.all([
      import('@modelcontextprotocol/node'),
      import('../../mcp/server.ts'),
    ]);
    const server = createMcpServer(
      noting(daemonBackend(context, request), (error) => context.onRefused(request, error)),
      context,
    );
    const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    reply.hijack();
    reply.raw.once('close', () => {
      void transport.close();
      void server.close();
    });
    await server.connect(transport);
    await transport.handleRequest(request.raw, reply.raw, request.body);
  });
  for (const method of ['GET', 'DELETE'] as const)
    app.route({
      method,
      url: '/mcp',
      config,
      schema: { hide: true },
      handler: (_request, reply) => reply.code(405).header('allow', 'POST').send(),
    });
});

function daemonBackend({ orchestrator, blueprints }: McpContext, request: FastifyRequest): McpBackend {
  const actor: Actor = actorOf(request);
  return {
    blueprints: (project) => blueprints.list({ project }),
    sessions: (project) => orchestrator.list({ project, limit: 200 }, actor),
    start: (given) => orchestrator.start(StartSpec.parse(given), actor),
    resume: ({ id, project }, prompt) => orchestrator.resume(id, { prompt, logging: false }, actor, project),
    session: async ({ id, project }) => orchestrator.lookUp(id, actor, project),
    result: async ({ id, project }) => orchestrator.result(id, actor, project),
    async wait(refs, { any, timeoutSeconds }) {
      const query = WaitQuery.parse({
        sessions: refs.map(({ id }) => id).join(','),
        project: refs[0]?.project,
        any: String(any),
        timeoutSeconds,
      });
      const hungUp = new AbortController();
      request.raw.once('close', () => hungUp.abort());
      return (await orchestrator.wait(query, actor, hungUp.signal)).sessions;
    },
    stop: ({ id, project }) => orchestrator.cancel(id, actor, project),
    remove: ({ id, project }) => orchestrator.delete(id, actor, project),
  };
}

/** The same backend, reporting each failure before passing it on. */
function noting(backend: McpBackend, onFailure: (error: unknown) => void): McpBackend {
  const watched = Object.entries(backend).map(([name, work]: [string, (...args: never[]) => Promise<unknown>]) => [
    name,
    async (...args: never[]) => {
      try {
        return await work(...args);
      } catch (error) {
        onFailure(error);
        throw error;
      }
    },
  ]);
  return Object.fromEntries(watched) as McpBackend;
}
