import type { ErrorBody } from '../../../src/contract/errors.ts';

/** The daemon's own words about what went wrong, or ours when it could not be reached. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  /** What the daemon says besides, such as who was first. */
  readonly details: Record<string, unknown>;

  constructor({ code, message, status, ...details }: { code: string; message: string; status: number }) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

export async function getJson<T>(path: string, options: { signal?: AbortSignal } = {}): Promise<T> {
  return request<T>(path, { method: 'GET', ...options });
}

export async function postJson<T>(path: string, body: object = {}): Promise<T> {
  return sendJson<T>('POST', path, body);
}

export async function putJson<T>(path: string, body: object): Promise<T> {
  return sendJson<T>('PUT', path, body);
}

export async function deleteJson<T = void>(path: string): Promise<T> {
  return request<T>(path, { method: 'DELETE' });
}

export async function patchJson<T>(path: string, body: object): Promise<T> {
  return sendJson<T>('PATCH', path, body);
}

function sendJson<T>(method: string, path: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  return request<T>(path, { method, headers, body: JSON.stringify(body) });
}

async function request<T>(path: string, init: RequestInit): Promise<T> {
  const { response, text } = await reach(path, init);
  // a proxy in between answers in its own words, which are no JSON
  const json = response.headers.get('content-type')?.includes('json') ?? false;
  if (response.ok && (json || text === '')) return (text ? JSON.parse(text) : undefined) as T;
  const { error } = json ? (JSON.parse(text) as Partial<ErrorBody>) : {};
  const described = error ?? { code: 'http', message: `The server answered ${response.status} ${response.statusText}` };
  throw new ApiError({ ...described, status: response.status });
}

async function reach(path: string, init: RequestInit): Promise<{ response: Response; text: string }> {
  try {
    const response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...init });
    return { response, text: await response.text() };
  } catch (cause) {
    // the network, or our own time limit
    if (!(cause instanceof TypeError) && !(cause instanceof DOMException)) throw cause;
    throw new ApiError({ code: 'unreachable', message: "Can't reach Ground Control. Is it running?", status: 0 });
  }
}

/** For showing: whatever was thrown, a sentence. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
