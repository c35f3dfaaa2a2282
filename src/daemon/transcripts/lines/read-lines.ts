import { isBlank, skipPadding } from './padding.ts';
import { MAX_LINE, readBlocks } from './read-blocks.ts';

/** Each block ends within a line, which is moved to the front of the next one: small blocks spend more time moving than reading. */
const BLOCK = 1024 * 1024;
const NEWLINE = 10;

/** Thousands of files are read one after the other. */
let spare: Buffer | undefined;

export interface LineReading {
  fd: number;
  /** Where a line begins. */
  from: number;
  /**
   * The line's bytes are `buffer[start..end)`, valid only during the call; `position` is where it starts in the file, `nuls` the number of
   * NUL bytes before it.
   */
  onLine: (buffer: Buffer, start: number, end: number, position: number, nuls: number) => void;
  /** A line of nothing but NUL bytes. */
  onNuls?: (position: number) => void;
  onTooLong?: (position: number, length: number) => void;
  /** Checked between blocks: true stops after a complete line. */
  isEnough?: (position: number) => boolean;
  maxLine?: number;
  block?: number;
}

/** Reads complete lines from a position, and returns where the next read starts (`readBlocks`). */
export function readLines(reading: LineReading): number {
  const { fd, from, onLine, onNuls, onTooLong, isEnough, maxLine = MAX_LINE, block = BLOCK } = reading;
  const small = spare?.length === block ? spare : Buffer.allocUnsafeSlow(block);
  // a nested read, from the callback, uses another buffer
  spare = undefined;
  const room = {
    bytes: small,
    grow(size: number, kept: number) {
      const larger = Buffer.allocUnsafeSlow(size);
      room.bytes.copy(larger, 0, 0, kept);
      room.bytes = larger;
    },
  };
  const next = readBlocks({ fd, from, room, maxLine, onTooLong, isEnough, onLines: takeApart });
  spare = small;
  return next;

  function takeApart(bytes: Buffer, first: number, end: number, position: number): void {
    // otherwise a search for the next newline would run into leftovers of other files
    const lines = end === bytes.length ? bytes : bytes.subarray(0, end);
    for (let start = first; start < end; ) {
      const newline = lines.indexOf(NEWLINE, start);
      const stop = newline === -1 ? end : newline;
      const at = position + start - first;
      if (stop - start > maxLine) onTooLong?.(at, stop - start);
      else emit(bytes, start, stop, at);
      start = stop + 1;
    }
  }

  function emit(bytes: Buffer, start: number, end: number, position: number): void {
    const first = skipPadding(bytes, start, end);
    let last = end;
    while (last > first && isBlank(bytes[last - 1]!)) last--;
    const nuls = first > start ? countNuls(bytes, start, first) : 0;
    if (last > first) onLine(bytes, first, last, position, nuls);
    else if (nuls > 0) onNuls?.(position);
  }
}

function countNuls(bytes: Buffer, start: number, end: number): number {
  let nuls = 0;
  for (let at = start; at < end; at++) if (bytes[at] === 0) nuls++;
  return nuls;
}
