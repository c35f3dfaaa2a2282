import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** What a transcript is read from: a file, or in tests a buffer that counts reads. */
export interface ByteSource {
  readonly size: number;
  /** Fewer bytes than requested only at the end. */
  read(position: number, length: number): Buffer;
}

export class NotPlain extends Error {}

/** Reads from the file at this path, which must be a regular file: a pipe would block the thread forever. */
export function withFile<T>(path: string, use: (source: ByteSource) => T): T {
  const file = openFile(path);
  try {
    return use(file);
  } finally {
    file.close();
  }
}

export function openFile(path: string): ByteSource & { close(): void } {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const info = fstatSync(descriptor);
    if (!info.isFile()) throw new NotPlain(`${path} is not a plain file.`);
    return {
      size: info.size,
      read: (position, length) => readAt(descriptor, position, length),
      close: () => closeSync(descriptor),
    };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function readAt(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(descriptor, bytes, filled, length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
