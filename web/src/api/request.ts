import type { ErrorBody } from '../../../src/contract/errors.ts';
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

export async function getJson<T>(path: string, options: { signal?: AbortSignal } = {}): Promise<T> {
  return request<T>(path, { method: 'GET', ...options });
}

interface SendOptions {
  /** The request outlives the page that sends it. Its body is limited to 64 KB. */
  keepalive?: boolean;
}

export async function postJson<T>(path: string, body: object = {}, options: SendOptions = {}): Promise<T> {
  return sendJson<T>('POST', path, body, options);
}

export async function putJson<T>(path: string, body: object): Promise<T> {
  return sendJson<T>('PUT', path, body);
}

export async function deleteJson<T = void>(path: string, options: SendOptions = {}): Promise<T> {
  return request<T>(path, { method: 'DELETE', ...options });
}

export async function patchJson<T>(path: string, body: object): Promise<T> {
  return sendJson<T>('PATCH', path, body);
}

function sendJson<T>(method: string, path: string, body: object, options: SendOptions = {}): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  return request<T>(path, { method, headers, body: JSON.stringify(body), ...options });
}

async function request<T>(path: string, init: RequestInit): Promise<T> {
  const { response, text } = await reach(path, init);
  if (response.ok && (isJson(response) || text === '')) return (text ? JSON.parse(text) : undefined) as T;
  throw errorIn(response, text);
}

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
