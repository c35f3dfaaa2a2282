import { APIError } from '@anthropic-ai/sdk';

export interface RetryPolicy {
  /** Retries after the first attempt. */
  retries: number;
  firstWaitMs: number;
  longestWaitMs: number;
}

export const DEFAULT_RETRIES: RetryPolicy = { retries: 10, firstWaitMs: 500, longestWaitMs: 60_000 };

const PASSING_STATUS = new Set([408, 409, 429, 529]);
/** Errors inside a stream carry a type and no status. */
const PASSING_TYPES = new Set(['overloaded_error', 'rate_limit_error', 'api_error', 'timeout_error']);

/** Whether the same request may succeed later. The server's own hint (`x-should-retry`) takes precedence. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof APIError)) return isNetworkFailure(error);
  const advice = error.headers?.get('x-should-retry');
  if (advice === 'true') return true;
  if (advice === 'false') return false;
  if (error.status === undefined) return error.type === null || PASSING_TYPES.has(error.type);
  return PASSING_STATUS.has(error.status) || error.status >= 500;
}

/** Proxies cut streams in the middle of an event, which the SDK reports as a parse error. */
function isNetworkFailure(error: unknown): boolean {
  return error instanceof TypeError || error instanceof SyntaxError || error instanceof StreamCut;
}

/** The stream ended, or fell silent, before the reply did. */
export class StreamCut extends Error {}

/** The delay the server asks for, or exponential backoff with jitter so that sessions don't all retry at once. */
export function waitBeforeRetry(error: unknown, attempt: number, policy: RetryPolicy, random: () => number): number {
  const told = error instanceof APIError ? toldWait(error.headers) : undefined;
  if (told !== undefined) return Math.min(told, policy.longestWaitMs * 10);
  const full = Math.min(policy.firstWaitMs * 2 ** (attempt - 1), policy.longestWaitMs);
  return Math.round(full / 2 + (full / 2) * random());
}

function toldWait(headers: Headers | undefined): number | undefined {
  const ms = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (ms >= 0) return ms;
  const after = headers?.get('retry-after');
  if (!after) return undefined;
  const wait = Number.isNaN(Number(after)) ? Date.parse(after) - Date.now() : Number(after) * 1000;
  return wait >= 0 ? wait : undefined;
}

/** One sentence for the operator. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof APIError && error.status === 429) return 'The API is limiting requests';
  if (error instanceof APIError && (error.status === 529 || error.type === 'overloaded_error'))
    return 'The API is overloaded';
  if (error instanceof APIError && error.status !== undefined) return `API error ${error.status}: ${messageOf(error)}`;
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${messageOf(error).replace(/\.$/, '')}${cause}`;
}

function messageOf(error: Error): string {
  return (error instanceof APIError && error.apiMessage) || error.message;
}

/** The conversation is too long. Compacting may help; retrying doesn't. */
export function isOverflow(error: unknown): boolean {
  return (
    error instanceof APIError &&
    (error.status === 413 ||
      (error.status === 400 && /prompt is too long|context.{0,20}(window|length|limit)/i.test(error.message)))
  );
}
