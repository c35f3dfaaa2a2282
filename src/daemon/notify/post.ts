import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { checkHost, PrivateAddress, publicLookup } from '../../net/public-lookup.ts';
import { readText } from '../../net/read-text.ts';
import type { Sent } from './outgoing.ts';

const TIMEOUT_MS = 20_000;
/** How much of a response to read: enough for an error message or the id of the posted message. */
const MOST_BYTES = 64 * 1024;
const MOST_ERROR = 300;

export interface PostRequest {
  url: string;
  method?: 'POST' | 'PATCH';
  headers?: Record<string, string | number>;
  body: string | Buffer;
}

export interface PostAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends one message, to a public address unless the operator has listed the host. Doesn't follow redirects. */
export type Post = (request: PostRequest) => Promise<PostAnswer>;

export function createPost({ allowedHosts }: { allowedHosts: () => readonly string[] }): Post {
  return async ({ url, method = 'POST', headers = {}, body }) => {
    const target = new URL(url);
    const isListed = allowedHosts().includes(target.host) || allowedHosts().includes(target.hostname);
    if (target.protocol !== 'https:' && !isListed) throw new PrivateAddress(`${target.host} needs https.`);
    if (!isListed) checkHost(target);
    const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      send(target, {
        method,
        headers: { 'content-length': Buffer.byteLength(body), ...headers },
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(isListed ? {} : { lookup: publicLookup() }),
      })
        .on('response', resolve)
        .on('error', reject)
        .end(body);
    });
    return { status: response.statusCode ?? 0, headers: response.headers, text: await readText(response, MOST_BYTES) };
  };
}

/** How most services use status codes: 410 is permanent, other 4xx except 408 and 429 are our fault, the rest is temporary. */
export function toSent({ status, headers, text }: PostAnswer): Sent {
  if (status >= 200 && status < 300) return { ok: true };
  const error = `HTTP ${status}${text.trim() === '' ? '' : `: ${text.trim().slice(0, MOST_ERROR)}`}`;
  if (status >= 300 && status < 400)
    return { ok: false, error: `${error} (redirects are not followed: use the final address)`, final: true };
  if (status === 404 || status === 410) return { ok: false, error, final: true, broken: true };
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) return { ok: false, error, final: true };
  const wait = retryAfter(headers);
  return { ok: false, error, ...(wait === undefined ? {} : { retryAfterMs: wait }) };
}

function retryAfter({ 'retry-after': value }: IncomingHttpHeaders): number | undefined {
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** An attempt that got no response. */
export function unreached(error: unknown): Sent {
  if (error instanceof PrivateAddress)
    return {
      ok: false,
      final: true,
      error: `${error.message} Add the host to notifyHosts in preferences.json to allow it.`,
    };
  if (!(error instanceof Error)) throw error;
  const isTimeout = error.name === 'TimeoutError' || error.name === 'AbortError';
  return { ok: false, error: isTimeout ? `No answer within ${TIMEOUT_MS / 1000} s.` : error.message };
}
