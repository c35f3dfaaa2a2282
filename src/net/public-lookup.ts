import { lookup as dnsLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

export type AddressCheck = (address: string) => boolean;

/** The host, or the address it resolves to, is one that a request from here must not reach. */
export class PrivateAddress extends Error {}

/** An address that is written in the URL never goes through a lookup, so it is checked on its own. */
export function checkHost(url: URL, isAllowed: AddressCheck = isPublicAddress): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) && !isAllowed(host)) throw new PrivateAddress(`${host} is a private address.`);
}

/** The address that passed the check is the one that is connected to: a second lookup could answer differently. */
export function publicLookup(isAllowed: AddressCheck = isPublicAddress): LookupFunction {
  return (host, options, callback) => {
    dnsLookup(host, { ...options, all: true }, (error, addresses) => {
      const allowed = (addresses ?? []).filter(({ address }) => isAllowed(address));
      const first = allowed[0];
      if (error) callback(error, '', 0);
      else if (!first) callback(new PrivateAddress(`${host} resolves to a private address.`), '', 0);
      else if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}
