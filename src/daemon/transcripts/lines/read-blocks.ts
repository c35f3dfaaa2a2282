import { readSync } from 'node:fs';
import { skipPadding } from './padding.ts';

const NEWLINE = 10;

/** Longer lines are skipped: no client writes them, and they would have to fit in memory. */
export const MAX_LINE = 64 * 1024 * 1024;

/** The buffer that blocks are read into. */
export interface Room {
  readonly bytes: Buffer;
  /** Grows `bytes` to at least this size, keeping this many bytes from the start. */
  grow(size: number, kept: number): void;
}

export interface BlockReading {
  fd: number;
  /** Where a line begins. */
  from: number;
  room: Room;
  /** `bytes[start..end)` are complete lines, valid only during the call. `position` is where they start in the file. */
  onLines: (bytes: Buffer, start: number, end: number, position: number) => void;
  onTooLong?: ((position: number, length: number) => void) | undefined;
  /** Checked between blocks: true stops after a complete line. */
  isEnough?: ((position: number) => boolean) | undefined;
  maxLine?: number;
}

/**
 * Reads blocks of complete lines from a position, and returns where the next read starts. A last line without a newline is left for the
 * next read, unless it is a complete JSON object and so can't continue.
 */
export function readBlocks(reading: BlockReading): number {
  const { fd, from, room, onLines, onTooLong, isEnough, maxLine = MAX_LINE } = reading;
  /** Bytes of a partial line, at the start of the buffer. */
  let held = 0;
  let next = from;
  /** Bytes already skipped of a line that is too long. */
  let skipped = 0;
  for (let isOver = false; !isOver; ) {
    if (isEnough?.(next)) return next;
    const { bytes } = room;
    const wanted = bytes.length - held;
    const read = readSync(fd, bytes, held, wanted, next + skipped + held);
    // a regular file returns fewer bytes than requested only at its end
    isOver = read < wanted;
    const filled = held + read;
    let start = 0;
    if (skipped > 0) {
      const newline = bytes.subarray(0, filled).indexOf(NEWLINE);
      if (newline !== -1) {
        onTooLong?.(next, skipped + newline);
        next += skipped + newline + 1;
        skipped = 0;
        start = newline + 1;
      }
    }
    const last = skipped > 0 ? -1 : bytes.subarray(held, filled).lastIndexOf(NEWLINE);
    const end = last === -1 ? start : held + last + 1;
    if (end > start) {
      onLines(bytes, start, end, next);
      next += end - start;
      start = end;
    }
    held = filled - start;
    // the callback may have moved the buffer
    if (start > 0 && held > 0) room.bytes.copyWithin(0, start, filled);
    if (skipped > 0 || held > maxLine) {
      skipped += held;
      held = 0;
    } else if (held === room.bytes.length) room.grow(Math.min(held * 2, maxLine + 1), held);
  }
  if (held === 0 || skipped > 0 || !isWholeObject(room.bytes, held)) return next;
  onLines(room.bytes, 0, held, next);
  return next + held;
}

function isWholeObject(buffer: Buffer, length: number): boolean {
  if (buffer[length - 1] !== 0x7d) return false;
  try {
    JSON.parse(buffer.toString('utf8', skipPadding(buffer, 0, length), length));
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
