import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';

const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };

/**
 * The parts of `fetch` the SDK needs, on top of Node's HTTP client. The built-in `fetch` compiles a WebAssembly parser on its first
 * request, which costs every agent process 35 MB.
 */
export async function httpFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input);
  const message = await send(url, init);
  return toResponse(message);
}

async function send(url: URL, init: RequestInit): Promise<IncomingMessage> {
  try {
    return await attempt(url, init);
  } catch (error) {
    // The server closed an idle connection just as we reused it. It never saw the request.
    if (error instanceof ClosedWhileIdle) return attempt(url, init);
    throw error;
  }
}

class ClosedWhileIdle extends Error {}

function attempt(url: URL, { method = 'GET', headers, body, signal }: RequestInit): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  const options = {
    method,
    headers: Object.fromEntries(new Headers(headers)),
    agent: isSecure ? agents.https : agents.http,
    ...(signal ? { signal } : {}),
  };
  return new Promise((resolve, reject) => {
    const request: ClientRequest = (isSecure ? requestHttps : requestHttp)(url, options, resolve);
    request.once('error', (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '');
      reject(isStale ? new ClosedWhileIdle(error.message) : error);
    });
    request.end(body as string | Uint8Array | undefined);
  });
}

const WITHOUT_BODY = new Set([204, 205, 304]);

function toResponse(message: IncomingMessage): Response {
  const { statusCode: status = 500, statusMessage: statusText = '', rawHeaders } = message;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  const body = WITHOUT_BODY.has(status) ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>);
  if (body === null) message.resume();
  return new Response(body, { status, statusText, headers });
}
