import type { ByteSource } from './byte-source.ts';

const BLOCK = 128 * 1024;
/** No message is this long; longer lines are skipped without being held in memory. */
export const MAX_LINE = 32 * 1024 * 1024;
const NEWLINE = 10;

export interface RawLine {
  start: number;
  /** After its newline. */
  end: number;
  /** Without its newline. null: too long to read. */
  bytes: Buffer | null;
}

/** The lines from a line's start. A last one without a newline is still being written, and is left alone. */
export function* linesForward(source: ByteSource, from: number, maxLine = MAX_LINE): Generator<RawLine> {
  let start = from;
  let held: Buffer[] = [];
  let heldBytes = 0;
  for (let position = from; position < source.size; ) {
    const block = source.read(position, Math.min(BLOCK, source.size - position));
    if (block.length === 0) return;
    let cut = 0;
    for (let at = block.indexOf(NEWLINE); at !== -1; at = block.indexOf(NEWLINE, cut)) {
      const last = block.subarray(cut, at);
      const isTooLong = heldBytes + last.length > maxLine;
      const end = position + at + 1;
      yield { start, end, bytes: isTooLong ? null : held.length > 0 ? Buffer.concat([...held, last]) : last };
      start = end;
      held = [];
      heldBytes = 0;
      cut = at + 1;
    }
    heldBytes += block.length - cut;
    if (heldBytes > maxLine) held = [];
    else held.push(block.subarray(cut));
    position += block.length;
  }
}

/** The lines before a position, last first, read in blocks. A half-written last one is left alone. */
export function* linesBackward(source: ByteSource, before: number, maxLine = MAX_LINE): Generator<RawLine> {
  let end: number | undefined;
  let held: Buffer[] = [];
  let heldBytes = 0;
  const line = (start: number, first: Buffer): RawLine => {
    const isTooLong = heldBytes + first.length > maxLine;
    return { start, end: end!, bytes: isTooLong ? null : held.length > 0 ? Buffer.concat([first, ...held]) : first };
  };
  for (let position = Math.min(before, source.size); position > 0; ) {
    const blockStart = Math.max(0, position - BLOCK);
    const block = source.read(blockStart, position - blockStart);
    let cut = block.length;
    for (let at = block.lastIndexOf(NEWLINE); at !== -1; at = at > 0 ? block.lastIndexOf(NEWLINE, at - 1) : -1) {
      if (end !== undefined) yield line(blockStart + at + 1, block.subarray(at + 1, cut));
      end = blockStart + at + 1;
      held = [];
      heldBytes = 0;
      cut = at;
    }
    if (end !== undefined) {
      heldBytes += cut;
      if (heldBytes > maxLine) held = [];
      else held.unshift(block.subarray(0, cut));
    }
    position = blockStart;
  }
  if (end !== undefined && end > 0) yield line(0, Buffer.alloc(0));
}

/** Where the last complete line ends. */
export function endOfLines(source: ByteSource): number {
  for (let position = source.size; position > 0; ) {
    const blockStart = Math.max(0, position - BLOCK);
    const at = source.read(blockStart, position - blockStart).lastIndexOf(NEWLINE);
    if (at !== -1) return blockStart + at + 1;
    position = blockStart;
  }
  return 0;
}

export function isLineStart(source: ByteSource, position: number): boolean {
  if (position === 0) return true;
  return position <= source.size && source.read(position - 1, 1)[0] === NEWLINE;
}
