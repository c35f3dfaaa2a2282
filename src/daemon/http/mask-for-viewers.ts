import type { FastifyInstance } from 'fastify';
import { maskJson } from '../masking/mask-in-turns.ts';

/** Viewers see what operators see with secrets masked, on every route. */
export function maskForViewers(app: FastifyInstance): void {
  app.addHook('onSend', async ({ device }, reply, payload) => {
    const isJson = String(reply.getHeader('content-type') ?? '').startsWith('application/json');
    if (device?.role !== 'viewer' || !isJson) return payload;
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    reply.removeHeader('content-length');
    return maskJson(payload.toString('utf8'));
  });
}
