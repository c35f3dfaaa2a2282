import { DomainError } from '../errors.ts';

/** A browser sends about twenty. Node drops those past 2,000 silently, and what is dropped can't be checked. */
const MOST_HEADERS = 100;

/** Refuses what two programs on the way could read differently. `rawHeaders` are names and values in turn. */
export function checkHead(rawHeaders: readonly string[]): void {
  if (rawHeaders.length > MOST_HEADERS * 2)
    throw new DomainError('request.too_many_headers', 431, `Send at most ${MOST_HEADERS} headers.`);
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length > 1) throw new DomainError('request.two_hosts', 400, 'Send one Host header.');
}
