import type { IncomingMessage } from 'node:http';
import type { Place } from '../access/passkeys/passkeys.ts';
import { isFromElsewhere } from './from-elsewhere.ts';

/** Which of our addresses a request was sent to. The guard has checked that its Host is one of them. */
export function placeOf(raw: IncomingMessage, publicUrls: readonly string[]): Place {
  const host = (raw.headers.host ?? '').toLowerCase();
  const known = publicUrls.find((url) => new URL(url).host === host);
  return { origin: known === undefined ? `http://${host}` : new URL(known).origin, isElsewhere: isFromElsewhere(raw) };
}
