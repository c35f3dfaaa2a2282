import type { ByteSource } from './byte-source.ts';
import type { Entry } from './entry.ts';
import { isLineStart, linesForward, type RawLine } from './lines.ts';
import { type ReadOptions, readEntry } from './read-entry.ts';
import { findCallHeads, findGroupHead } from './related-lines.ts';

const BLOCK = 1024 * 1024;

/** A line, and where its message starts. */
export interface MessagePosition {
  line: number;
  head: number;
}

/** By a line's uuid, by @ and its byte position, or by a tool call's id. `hint`: where the index has it. */
export function findMessage(
  source: ByteSource,
  id: string,
  options: ReadOptions & { hint?: number | undefined },
): MessagePosition | undefined {
  const line = lineOf(source, id, options.hint);
  const entry = line && readEntry(line, options);
  if (!entry) return undefined;
  return { line: entry.start, head: headOf(source, entry, options) };
}

function headOf(source: ByteSource, entry: Entry, options: ReadOptions): number {
  if (entry.group !== null) return findGroupHead(source, entry.end, entry.group, options) ?? entry.start;
  if (entry.parts.length > 0) return entry.start;
  // a line of results shows in the message that made the calls
  const calls = entry.results.map(({ toolUseId }) => toolUseId);
  const [head = entry.start] = findCallHeads(source, entry.start, calls, options);
  return head;
}

function lineOf(source: ByteSource, id: string, hint: number | undefined): RawLine | undefined {
  const position = /^@\d{1,15}$/.test(id) ? Number(id.slice(1)) : undefined;
  if (position !== undefined) return lineAt(source, position);
  const hinted = hint === undefined ? undefined : lineAt(source, hint);
  if (hinted?.bytes?.includes(`"uuid":"${id}"`)) return hinted;
  return scanFor(source, `"uuid":"${id}"`) ?? scanFor(source, `"id":"${id}"`);
}

function lineAt(source: ByteSource, position: number): RawLine | undefined {
  if (position >= source.size || !isLineStart(source, position)) return undefined;
  const [line] = linesForward(source, position);
  return line;
}

/** From the end, since people look at what is new. */
function scanFor(source: ByteSource, field: string): RawLine | undefined {
  const sought = Buffer.from(field);
  for (let end = source.size; end > 0; ) {
    const start = Math.max(0, end - BLOCK);
    // slightly more than the block, or a match across its end would be missed
    const block = source.read(start, Math.min(source.size, end + sought.length) - start);
    const at = block.lastIndexOf(sought);
    if (at !== -1) return lineAt(source, startOfLine(source, start + at));
    end = start;
  }
  return undefined;
}

function startOfLine(source: ByteSource, position: number): number {
  for (let end = position; end > 0; ) {
    const start = Math.max(0, end - BLOCK / 8);
    const at = source.read(start, end - start).lastIndexOf(10);
    if (at !== -1) return start + at + 1;
    end = start;
  }
  return 0;
}
