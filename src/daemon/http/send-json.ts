import type { FastifyReply } from 'fastify';

/** Sends text that is already JSON, bypassing the serializer. */
export function sendJson(reply: FastifyReply, json: string | Buffer): never {
  return reply.header('content-type', 'application/json; charset=utf-8').send(json) as never;
}
