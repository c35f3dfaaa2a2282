import { maskDeep } from '../masking/mask-secrets.ts';

const made = new WeakMap<Buffer, Buffer>();

/** The same messages with secrets masked, for viewers. Built once for a chunk that several of them share. */
export function maskSse(chunk: Buffer): Buffer {
  const known = made.get(chunk);
  if (known) return known;
  const masked = Buffer.from(chunk.toString('utf8').split('\n').map(maskLine).join('\n'));
  made.set(chunk, masked);
  return masked;
}

/** For a chunk that was put together from masked parts. */
export function markMasked(chunk: Buffer): Buffer {
  made.set(chunk, chunk);
  return chunk;
}

const DATA = 'data: ';

function maskLine(line: string): string {
  return line.startsWith(DATA) ? DATA + JSON.stringify(maskDeep(JSON.parse(line.slice(DATA.length)))) : line;
}
