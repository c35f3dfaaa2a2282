import type { ByteSource } from './byte-source.ts';

/** A transcript in memory that counts what is read. */
export function sourceOf(content: string | Buffer): ByteSource & { bytesRead: number } {
  const bytes = Buffer.from(content);
  const source = {
    size: bytes.length,
    bytesRead: 0,
    read(position: number, length: number) {
      const found = bytes.subarray(position, position + length);
      source.bytesRead += found.length;
      return found;
    },
  };
  return source;
}
