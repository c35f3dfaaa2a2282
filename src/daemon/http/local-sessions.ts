import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '../../contract/routes/route.ts';
import { getSession } from '../../contract/routes/sessions.ts';
import type { Board } from '../board/board.ts';

/**
 * Behind a route there are only sessions of this machine, by their bare ids: what is asked of another machine's is refused before it comes
 * near a disk or a process. Only a view is shown of any.
 */
export function localSessions(app: FastifyInstance, board: Board): void {
  app.addHook('preHandler', async ({ routeOptions: { url = '' }, params, query, body }) => {
    if (!url.startsWith(API_PREFIX) || url === getSession.path) return;
    toLocal(params, 'id');
    toLocal(query, 'sessionId');
    toLocal(body, 'sessionId');
    toLocal(body, 'ids');
  });

  function toLocal(of: unknown, field: string): void {
    if (typeof of !== 'object' || of === null || !(field in of)) return;
    const fields = of as Record<string, unknown>;
    const value = fields[field];
    if (typeof value === 'string') fields[field] = board.localId(value);
    if (Array.isArray(value)) fields[field] = value.map((one) => (typeof one === 'string' ? board.localId(one) : one));
  }
}
