import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Route, RouteRequest, RouteResult } from '../../contract/routes/route.ts';

type Handler<R extends Route> = (
  request: FastifyRequest & RouteRequest<R>,
  reply: FastifyReply,
) => Promise<RouteResult<R>> | RouteResult<R>;

/** Registers a contract route: its role, input validation and response shape. */
export function serve<R extends Route>(app: FastifyInstance, route: R, handler: Handler<R>): void {
  const { method, path, tag, description, params, query, body, status = 200, pendingStatus, role, bodyLimit } = route;
  app.route({
    method,
    url: path,
    ...(role ? { config: { access: role } } : {}),
    ...(bodyLimit ? { bodyLimit } : {}),
    schema: {
      tags: [tag],
      ...(description ? { description } : {}),
      ...(params ? { params } : {}),
      ...(query ? { querystring: query } : {}),
      ...(body ? { body } : {}),
      ...responseOf(route),
    },
    handler: async (request: FastifyRequest, reply) => {
      // The schemas above have validated it, which fastify's types can't infer from a route variable.
      const result = await handler(request as FastifyRequest & RouteRequest<R>, reply);
      // The handler has sent it itself.
      if (Object.is(result, reply)) return reply;
      // the handler may have said that it is still under way
      if (reply.statusCode !== pendingStatus) reply.code(status);
      return reply.send(result);
    },
  });
}

function responseOf({ answer, events, status = 200, pendingStatus }: Route) {
  if (events) return { response: { [status]: { content: { 'text/event-stream': { schema: events } } } } };
  if (!answer) return {};
  return { response: { [status]: answer, ...(pendingStatus ? { [pendingStatus]: answer } : {}) } };
}
