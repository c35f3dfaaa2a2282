import { readSync } from 'node:fs';
import { fingerprint } from '../fingerprint.ts';

/** Bytes at both ends of what was read, to tell whether a file that changed only grew. */
const EDGE = 256;

const bytes = Buffer.alloc(2 * EDGE);

/** Of the bytes before the offset. */
export function edgesOf(fd: number, offset: number): string {
  const length = Math.min(EDGE, offset);
  readSync(fd, bytes, 0, length, 0);
  readSync(fd, bytes, length, length, offset - length);
  return fingerprint(bytes.subarray(0, 2 * length));
}

/** The same, if the whole file is already in memory. */
export function edgesIn(file: Buffer, offset: number): string {
  const length = Math.min(EDGE, offset);
  file.copy(bytes, 0, 0, length);
  file.copy(bytes, length, offset - length, offset);
  return fingerprint(bytes.subarray(0, 2 * length));
}
