import { readSync } from 'node:fs';

/** Each block ends within a line, which is moved to the front of the next one: small blocks spend more time moving than reading. */
const BLOCK = 1024 * 1024;
const NEWLINE = 10;

/** Longer ones are skipped: no client writes them, and they would have to fit in memory. */
export const MAX_LINE = 64 * 1024 * 1024;

/** Thousands of files are read one after the other. */
let spare: Buffer | undefined;

export interface LineReading {
  fd: number;
  /** Where a line starts. */
  from: number;
  /**
   * The line's bytes are `buffer[start..end)`, valid only during the call. `position` is where it starts in the file, `nuls` the number of
   * NUL bytes before it.
   */
  onLine: (buffer: Buffer, start: number, end: number, position: number, nuls: number) => void;
  /** A line of only NUL bytes. */
  onNuls?: (position: number) => void;
  onTooLong?: (position: number, length: number) => void;
  /** Called between blocks: true ends the reading after a whole line. */
  isEnough?: (position: number) => boolean;
  maxLine?: number;
  block?: number;
}

/**
 * Reads whole lines from a position, and returns where the next reading starts. A last line without a newline is left for then, unless it
 * is a complete JSON object, which can't continue.
 */
export function readLines({
  fd,
  from,
  onLine,
  onNuls,
  onTooLong,
  isEnough,
  maxLine = MAX_LINE,
  block = BLOCK,
}: LineReading): number {
  const small = spare?.length === block ? spare : Buffer.allocUnsafeSlow(block);
  let buffer = small;
  // a nested reading needs its own buffer
  spare = undefined;
  /** Bytes of an unfinished line, at the start of the buffer. */
  let held = 0;
  let next = from;
  /** Bytes already skipped of a line that is too long. */
  let skipped = 0;
  for (;;) {
    if (isEnough?.(next)) {
      spare = small;
      return next;
    }
    const read = readSync(fd, buffer, held, buffer.length - held, next + skipped + held);
    if (read === 0) break;
    const filled = held + read;
    // otherwise, a search for the next newline would run through leftovers of other files
    const bytes = filled === buffer.length ? buffer : buffer.subarray(0, filled);
    let start = 0;
    let newline = bytes.indexOf(NEWLINE, held);
    while (newline !== -1) {
      if (skipped + newline - start > maxLine) onTooLong?.(next, skipped + newline - start);
      else emit(buffer, start, newline, next);
      next += skipped + newline + 1 - start;
      skipped = 0;
      start = newline + 1;
      newline = bytes.indexOf(NEWLINE, start);
    }
    held = filled - start;
    if (buffer !== small && held < block) {
      buffer.copy(small, 0, start, filled);
      buffer = small;
    } else if (start > 0) buffer.copyWithin(0, start, filled);
    if (skipped > 0 || held > maxLine) {
      skipped += held;
      held = 0;
    } else if (held === buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(buffer.length * 2, maxLine + block));
      buffer.copy(larger, 0, 0, held);
      buffer = larger;
    }
  }
  if (held > 0 && skipped === 0 && held <= maxLine && isWholeObject(buffer, held)) {
    emit(buffer, 0, held, next);
    next += held;
  }
  spare = small;
  return next;

  function emit(bytes: Buffer, start: number, end: number, position: number): void {
    const first = skipPadding(bytes, start, end);
    let last = end;
    while (last > first && isBlank(bytes[last - 1]!)) last--;
    const nuls = first > start ? countNuls(bytes, start, first) : 0;
    if (last > first) onLine(bytes, first, last, position, nuls);
    else if (nuls > 0) onNuls?.(position);
  }
}

/** A crashed machine leaves NUL bytes where a line should be; a line after them is intact. */
export function skipPadding(bytes: Buffer, start: number, end: number): number {
  let first = start;
  if (end - first >= 3 && bytes[first] === 0xef && bytes[first + 1] === 0xbb && bytes[first + 2] === 0xbf) first += 3;
  while (first < end && (bytes[first] === 0 || isBlank(bytes[first]!))) first++;
  return first;
}

function countNuls(bytes: Buffer, start: number, end: number): number {
  let nuls = 0;
  for (let at = start; at < end; at++) if (bytes[at] === 0) nuls++;
  return nuls;
}

function isBlank(byte: number): boolean {
  return byte === 32 || byte === 9 || byte === 13;
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
