import { addressOf } from '../../../src/contract/address.ts';
import type { ErrorBody } from '../../../src/contract/errors.ts';
import { PASSKEY_HEADER, PASSKEY_NEEDED } from '../../../src/contract/passkey-actions.ts';
import type { CallArguments, JsonRoute, RouteAnswer } from '../../../src/contract/routes/route.ts';
import { askForPasskey, inTurn, type PasskeyNeeded } from '../access/passkey-asks.ts';
import { send } from './send.ts';

/** The daemon's own error message, or ours if it couldn't be reached. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  /** Extra details from the daemon, such as who was first. */
  readonly details: Record<string, unknown>;

  constructor({ code, message, status, ...details }: { code: string; message: string; status: number }) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.details = details;
  }

  /** The error in a failed response. */
  static async from(response: Response): Promise<ApiError> {
    return errorIn(response, await response.text());
  }
}

interface SendOptions {
  signal?: AbortSignal;
  /** The request outlives the page that sends it. Its body is limited to 64 KB. */
  keepalive?: boolean;
}

interface Given extends SendOptions {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** Calls a contract route. The build keeps only its method and path (see routes-without-schemas.ts), so the response isn't validated. */
export async function call<R extends JsonRoute>(
  route: R,
  ...[given]: CallArguments<R, SendOptions>
): Promise<RouteAnswer<R>> {
  const { params, query, body = {}, ...options }: Given = given ?? {};
  const { method } = route;
  const isSent = method !== 'GET' && method !== 'DELETE';
  const json = isSent ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {};
  const address = addressOf(route, { params, query });
  const attempt = (headers?: Record<string, string>) =>
    sendOnce(address, {
      method,
      ...json,
      ...options,
      ...(headers ? { headers: { ...json.headers, ...headers } } : {}),
    });
  return attempt().catch((error: unknown) => confirmAndRetry(error, attempt));
}

async function sendOnce(address: string, init: RequestInit) {
  const { response, text } = await reach(address, init);
  if (response.ok && (isJson(response) || text === '')) return JSON.parse(text || 'null');
  throw errorIn(response, text);
}

/** Several actions at once are confirmed one after the other. A confirmation may count for the next ones, so they are tried first. */
function confirmAndRetry<T>(refusal: unknown, attempt: (headers?: Record<string, string>) => Promise<T>): Promise<T> {
  if (!isPasskeyNeeded(refusal)) throw refusal;
  return inTurn(async ({ waited }) => {
    let needed: ApiError = refusal;
    if (waited) {
      try {
        return await attempt();
      } catch (error) {
        if (!isPasskeyNeeded(error)) throw error;
        needed = error;
      }
    }
    return attempt({ [PASSKEY_HEADER]: await askForPasskey(needed.details.passkey as PasskeyNeeded) });
  });
}

const isPasskeyNeeded = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === PASSKEY_NEEDED;

function errorIn(response: Response, text: string): ApiError {
  const { error } = isJson(response) ? (JSON.parse(text) as Partial<ErrorBody>) : {};
  const described = error ?? {
    code: 'http',
    message: `The server responded with ${response.status} ${response.statusText}`,
  };
  return new ApiError({ ...described, status: response.status });
}

/** A proxy in between may respond with something other than JSON. */
const isJson = (response: Response): boolean => response.headers.get('content-type')?.includes('json') ?? false;

async function reach(path: string, init: RequestInit): Promise<{ response: Response; text: string }> {
  try {
    const response = await send(path, { cache: 'no-store', ...init });
    return { response, text: await response.text() };
  } catch (cause) {
    // A network failure, or our own timeout.
    if (!(cause instanceof TypeError) && !(cause instanceof DOMException)) throw cause;
    throw new ApiError({ code: 'unreachable', message: "Can't reach Ground Control. Is it running?", status: 0 });
  }
}

/** A sentence to show for anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
