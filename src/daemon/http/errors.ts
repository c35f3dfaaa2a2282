import type { FastifyError } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import type { ErrorBody } from '../../contract/errors.ts';
import { DomainError } from '../errors.ts';

/** Turns every error into a response, in one format. */
export function toAnswer(error: FastifyError | DomainError): { status: number; body: ErrorBody } {
  if (error instanceof DomainError) {
    return { status: error.status, body: { error: { code: error.code, message: error.message, ...error.details } } };
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const problems = error.validation.map(({ instancePath, message }) => ({
      path: instancePath,
      message: message ?? '',
    }));
    // Use the field name the caller used.
    const nameOf = (path: string) => path.slice(1).replaceAll('/', '.') || error.validationContext;
    const where = problems.map(({ path, message }) => `${nameOf(path)}: ${message}`).join('; ');
    return { status: 400, body: { error: { code: 'request.invalid', message: where, problems } } };
  }
  const status = error.statusCode ?? 500;
  if (status >= 500)
    return {
      status,
      body: { error: { code: 'internal', message: 'Something went wrong in the daemon. See its log.' } },
    };
  return { status, body: { error: { code: codeOf(error), message: error.message } } };
}

function codeOf(error: FastifyError): string {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return 'request.too_large';
  return error.code ? `request.${error.code.replace(/^FST_ERR_/, '').toLowerCase()}` : 'request.invalid';
}
