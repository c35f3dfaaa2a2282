import { closeSync, readSync } from 'node:fs';
import { isRecord } from '../../../contract/values.ts';
import { openTranscript } from '../usage/scan-usage.ts';
import { piecesOf } from './line-pieces.ts';
import { skipPadding } from './padding.ts';

const FIRST_READ = 64 * 1024;
/** A longer line isn't parsed for an excerpt: its raw beginning has to do. */
const MAX_LINE = 4 * 1024 * 1024;
const NEWLINE = 10;

/** A piece's text, read from the transcript. undefined: the file changed since it was indexed, or is gone. */
export function readPiece(path: string, { start, block }: { start: number; block: number }): string | undefined {
  const bytes = readLine(path, start);
  if (!bytes) return undefined;
  const line = parse(bytes);
  if (line === undefined) return bytes.length < MAX_LINE ? undefined : bytes.toString('utf8', 0, FIRST_READ);
  return piecesOf(line).find((piece) => piece.block === block)?.text;
}

function readLine(path: string, start: number): Buffer | undefined {
  const file = openTranscript(path);
  if (file === undefined) return undefined;
  try {
    for (let size = FIRST_READ; ; size = Math.min(size * 8, MAX_LINE)) {
      const bytes = Buffer.allocUnsafe(size);
      const length = readSync(file, bytes, 0, size, start);
      const end = bytes.subarray(0, length).indexOf(NEWLINE);
      if (end !== -1) return bytes.subarray(0, end);
      if (length < size || size === MAX_LINE) return bytes.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}

function parse(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const line = JSON.parse(bytes.toString('utf8', skipPadding(bytes, 0, bytes.length)));
    return isRecord(line) ? line : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
