import type { IncomingMessage, RequestListener } from 'node:http';
import { isIP } from 'node:net';
import { DomainError } from '../errors.ts';
import { toAnswer } from './errors.ts';

export interface BehindProxyOptions {
  /** The addresses outside this machine, some of them below a path. */
  urls: () => readonly string[];
  /** Whether this peer's X-Forwarded-* headers count. */
  isTrusted: (address: string) => boolean;
}

export interface BehindProxy {
  /** Handles requests as if they had come without a proxy. */
  wrap(others: RequestListener): RequestListener;
  /** Changes the request to what its client sent. The error, if the proxy says something that can't be. */
  adjust(request: IncomingMessage): DomainError | undefined;
  basePathOf(host: string | undefined): string;
}

/** Who asked, where a trusted proxy says so. */
const clients = new WeakMap<IncomingMessage, string>();

/** For the audit log only: nobody may do anything because of an address. */
export const clientAddress = (request: IncomingMessage): string =>
  clients.get(request) ?? request.socket.remoteAddress ?? 'an unknown address';

/**
 * Undoes what a proxy in front of us did: the base path is taken off, and the Host that its client asked for is put back if the proxy is
 * trusted. The headers of everyone else are left alone and read by nobody: the guard judges the Host itself.
 */
export function behindProxy({ urls, isTrusted }: BehindProxyOptions): BehindProxy {
  function basePathOf(host: string | undefined): string {
    const url = urls().find((one) => new URL(one).host === host?.toLowerCase());
    return url === undefined ? '' : new URL(url).pathname.replace(/\/$/, '');
  }

  function adjust(request: IncomingMessage): DomainError | undefined {
    const { headers, socket } = request;
    if (isTrusted((socket.remoteAddress ?? '').replace(/^::ffff:/i, ''))) {
      const error = believe(request);
      if (error) return error;
    }
    const basePath = basePathOf(headers.host);
    if (basePath !== '') request.url = withoutBase(request.url ?? '/', basePath);
    return undefined;
  }

  function believe(request: IncomingMessage): DomainError | undefined {
    const { headers } = request;
    const host = lastOf(headers['x-forwarded-host']);
    const protocol = lastOf(headers['x-forwarded-proto']);
    const client = lastOf(headers['x-forwarded-for']);
    if (protocol !== undefined && protocol !== 'https')
      return new DomainError(
        'access.plain_http',
        403,
        'The proxy says that this came over plain HTTP. Open the https address, and let the proxy redirect to it.',
      );
    if (host !== undefined) headers.host = host;
    if (client !== undefined && isIP(client)) clients.set(request, client);
    return undefined;
  }

  return {
    adjust,
    basePathOf,
    wrap: (others) => (request, response) => {
      const error = adjust(request);
      if (!error) return others(request, response);
      const { status, body } = toAnswer(error);
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body));
    },
  };
}

/** What the nearest proxy added. What stands before it came from its client. */
function lastOf(header: string | string[] | undefined): string | undefined {
  const all = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',');
  const last = all.at(-1)?.trim();
  return last === '' ? undefined : last;
}

/** By its exact spelling: whatever is spelled otherwise is another path. A proxy may have taken it off already. */
function withoutBase(url: string, basePath: string): string {
  if (url === basePath) return '/';
  if (url.startsWith(`${basePath}?`)) return `/${url.slice(basePath.length)}`;
  return url.startsWith(`${basePath}/`) ? url.slice(basePath.length) : url;
}
