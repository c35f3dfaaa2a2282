import { DomainError } from '../../errors.ts';
import type { PlainError } from './worker-messages.ts';

export function toPlainError(error: unknown): PlainError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const domain =
    error instanceof DomainError ? { code: error.code, status: error.status, details: error.details } : undefined;
  return { message, stack, domain };
}

export function fromPlainError({ message, stack, domain }: PlainError): Error {
  const error = domain
    ? new DomainError(domain.code, domain.status, message, domain.details)
    : new Error(message, { cause: 'in a thread that reads transcripts' });
  if (stack) error.stack = stack;
  return error;
}
