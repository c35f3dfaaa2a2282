import { readSync } from 'node:fs';
import { skipPadding } from './padding.ts';

const NEWLINE = 10;

/** Longer ones are passed over: no client writes them, and they would have to be held in memory whole. */
export const MAX_LINE = 64 * 1024 * 1024;

/** Where blocks are read to. */
export interface Room {
  readonly bytes: Buffer;
  /** Makes `bytes` at least this large, and keeps as many of them from the beginning. */
  grow(size: number, kept: number): void;
}

export interface BlockReading {
  fd: number;
  /** Where a line begins. */
  from: number;
  room: Room;
  /** `bytes[start..end)` are whole lines, good only during the call. `position` is where they begin in the file. */
  onLines: (bytes: Buffer, start: number, end: number, position: number) => void;
  onTooLong?: ((position: number, length: number) => void) | undefined;
  /** Asked between blocks: true ends the reading after a whole line. */
  isEnough?: ((position: number) => boolean) | undefined;
  maxLine?: number;
}

/**
 * Reads blocks of whole lines from a position on, and returns where the next reading begins. A last line without its newline is left
 * for then, unless it is a whole JSON object: such a line cannot go on.
 */
export function readBlocks(reading: BlockReading): number {
  const { fd, from, room, onLines, onTooLong, isEnough, maxLine = MAX_LINE } = reading;
  /** Bytes of a line that has begun, at the room's beginning. */
  let held = 0;
  let next = from;
  /** Bytes already passed over of a line that is too long. */
  let skipped = 0;
  for (let isOver = false; !isOver; ) {
    if (isEnough?.(next)) return next;
    const { bytes } = room;
    const wanted = bytes.length - held;
    const read = readSync(fd, bytes, held, wanted, next + skipped + held);
    // a regular file gives less than was asked for only where it ends
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
    // what took the lines may have moved the room
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
