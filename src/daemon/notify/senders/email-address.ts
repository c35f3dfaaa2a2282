import { lookup } from 'node:dns/promises';
import { type AddressCheck, PrivateAddress } from '../../../net/public-lookup.ts';

/** The resolved address to connect to, so that it isn't looked up a second time. */
export async function lookupAllowed(host: string, isAllowed: AddressCheck): Promise<string> {
  const addresses = await lookup(host, { all: true });
  const first = addresses.find(({ address }) => isAllowed(address));
  if (!first) throw new PrivateAddress(`${host} resolves to a private address.`);
  return first.address;
}
