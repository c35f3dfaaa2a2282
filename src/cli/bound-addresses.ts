import { readFileSync } from 'node:fs';

const LISTENING = '0A';

/** The addresses that some process listens on at this port. undefined: this system doesn't report them. */
export function boundAddresses(port: number, folder = '/proc/net'): string[] | undefined {
  const rows = ['tcp', 'tcp6'].flatMap((name) => read(`${folder}/${name}`));
  if (rows.length === 0) return undefined;
  return rows.flatMap((row) => {
    const [, local = '', , state] = row.trim().split(/\s+/);
    const [address = '', hexPort = ''] = local.split(':');
    return state === LISTENING && Number.parseInt(hexPort, 16) === port ? [toAddress(address)] : [];
  });
}

function read(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').slice(1).filter(Boolean);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** The kernel writes 32-bit words in the order of this machine. */
function toAddress(hex: string): string {
  const words = hex.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) => (word.match(/../g) ?? []).reverse().map((byte) => Number.parseInt(byte, 16)));
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.every((byte) => byte === 0)) return '::';
  if (bytes.slice(0, 15).every((byte) => byte === 0) && bytes[15] === 1) return '::1';
  const mapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  return mapped ? bytes.slice(12).join('.') : hex;
}
