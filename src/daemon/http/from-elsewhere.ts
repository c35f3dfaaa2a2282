import type { IncomingMessage } from 'node:http';
import { isOwnAddress } from '../remote/own-addresses.ts';

/** What tunnels and proxies add. Their clients can add them too, but never take them away. */
const FORWARDED = /^(forwarded|via|x-forwarded-.*|x-real-ip|cf-.*|tailscale-.*)$/;

/**
 * Whether a request may come from another machine. A tunnel on this machine connects from loopback and passes on whatever Host its client
 * sends, so it takes all of these signs together to call a request local.
 */
export function isFromElsewhere({ headers, socket }: IncomingMessage): boolean {
  if (!/^(127\.0\.0\.1|localhost|\[::1\]):\d+$/i.test(headers.host ?? '')) return true;
  if ('encrypted' in socket || !isOwnAddress(socket.remoteAddress ?? '')) return true;
  return Object.keys(headers).some((name) => FORWARDED.test(name));
}
