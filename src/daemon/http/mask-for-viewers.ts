import type { FastifyInstance } from 'fastify';
import { maskDeep } from '../masking/mask-secrets.ts';

/** Viewers see what operators see with secrets masked, on every route. */
export function maskForViewers(app: FastifyInstance): void {
  app.addHook('onSend', async ({ device }, reply, payload) => {
    const isJson = String(reply.getHeader('content-type') ?? '').startsWith('application/json');
    if (device?.role !== 'viewer' || !isJson) return payload;
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    const masked = JSON.stringify(maskDeep(JSON.parse(payload.toString('utf8'))));
    reply.removeHeader('content-length');
    return masked;
  });
}
