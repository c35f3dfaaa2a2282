import { recordOf } from '../../../contract/values.ts';
import { timeOf } from '../lines/line.ts';
import type { ByteSource } from './byte-source.ts';
import { linesForward, type RawLine } from './lines.ts';
import { type ReadOptions, readEntry } from './read-entry.ts';

/** Below this many bytes, reading every line is cheaper than another jump. */
const SCAN_BYTES = 256 * 1024;
/** Lines without a time, such as titles and summaries, come in short runs. */
const MAX_TRIES = 50;

/** Where the last visible line written at or before this time starts; the first one if all are later. */
export function findTime(source: ByteSource, at: number, options: ReadOptions): number | undefined {
  let [low, high] = [0, source.size];
  while (high - low > SCAN_BYTES) {
    const middle = Math.floor((low + high) / 2);
    const line = firstDated(source, middle);
    if (!line || line.start >= high || line.at > at) high = middle;
    else low = line.start;
  }
  let found: number | undefined;
  for (const line of linesForward(source, low)) {
    const written = timeIn(line);
    if (written !== null && written > at && found !== undefined) break;
    if (readEntry(line, options)) found = line.start;
    if (written !== null && written > at) break;
  }
  return found;
}

function firstDated(source: ByteSource, from: number): { start: number; at: number } | undefined {
  let tries = 0;
  let isFirst = true;
  for (const line of linesForward(source, from)) {
    // the first one probably starts mid-line
    const at = isFirst ? null : timeIn(line);
    isFirst = false;
    if (at !== null) return { start: line.start, at };
    tries += 1;
    if (tries > MAX_TRIES) return undefined;
  }
  return undefined;
}

function timeIn({ bytes }: RawLine): number | null {
  if (bytes === null) return null;
  try {
    return timeOf(recordOf(JSON.parse(bytes.toString('utf8'))));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}
