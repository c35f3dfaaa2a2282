import type { FastifyInstance } from 'fastify';
import { findExcess } from '../drivers/terminal/intake/read-hook.ts';
import { DomainError } from '../errors.ts';

/** JSON bodies the way Fastify reads them, except those that would block everyone else or overflow the stack. */
export function boundJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const excess = findExcess(body);
    if (excess === undefined) return parse(request, body.toString('utf8'), done);
    done(new DomainError('request.too_complex', 400, `Can't read the body: ${excess}.`));
  });
}
