import { hostname, networkInterfaces } from 'node:os';

/** Addresses of this machine that others can reach. */
export function lanAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flat()
    .filter((one) => one !== undefined)
    .filter(({ internal, address }) => !internal && !/^(fe80:|169\.254\.)/i.test(address))
    .map(({ address }) => address);
}

/** Names under which a phone on the same network can reach this machine. */
export function lanNames(): string[] {
  const name = hostname()
    .toLowerCase()
    .replace(/\.local$/, '');
  const isUsable = /^[a-z0-9-]{1,63}$/.test(name);
  return [...lanAddresses(), ...(isUsable ? [`${name}.local`] : [])];
}

/** Whether a connection from this address comes from a program on this machine. */
export function isOwnAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '');
  if (plain === '::1' || plain.startsWith('127.')) return true;
  return Object.values(networkInterfaces()).some((list) => list?.some((one) => one.address === plain));
}
