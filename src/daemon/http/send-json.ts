import type { FastifyReply } from 'fastify';

/** Sends what is JSON already, past the serializer. */
export function sendJson(reply: FastifyReply, json: string | Buffer): never {
  return reply.header('content-type', 'application/json; charset=utf-8').send(json) as never;
}
