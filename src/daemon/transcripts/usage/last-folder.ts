import { closeSync, fstatSync, readSync } from 'node:fs';
import { textOf } from '../../../contract/values.ts';
import { readLines } from '../lines/read-lines.ts';
import { openTranscript } from './scan-usage.ts';
import { parseLine } from './usage.ts';

const FIRST_LOOK = 256 * 1024;
const CWD = Buffer.from('"cwd"');
const NEWLINE = 10;

/** The last working directory a transcript names. */
export function lastFolderIn(path: string): string | null {
  const fd = openTranscript(path);
  if (fd === undefined) return null;
  try {
    const { size } = fstatSync(fd);
    const near = lineStart(fd, Math.max(0, size - FIRST_LOOK));
    return lastFrom(fd, near) ?? (near > 0 ? lastFrom(fd, 0) : null);
  } finally {
    closeSync(fd);
  }
}

function lastFrom(fd: number, from: number): string | null {
  let found: string | null = null;
  readLines({
    fd,
    from,
    onLine(bytes, start, end) {
      if (!bytes.subarray(start, end).includes(CWD)) return;
      found = textOf(parseLine(bytes, start, end)?.cwd) || found;
    },
  });
  return found;
}

/** Where the first complete line after a position starts. */
function lineStart(fd: number, from: number): number {
  if (from === 0) return 0;
  const bytes = Buffer.alloc(FIRST_LOOK);
  const read = readSync(fd, bytes, 0, bytes.length, from);
  const newline = bytes.subarray(0, read).indexOf(NEWLINE);
  return newline === -1 ? 0 : from + newline + 1;
}
