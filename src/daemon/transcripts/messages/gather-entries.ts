import type { ByteSource } from './byte-source.ts';
import type { Entry } from './entry.ts';
import { linesBackward, linesForward, MAX_LINE } from './lines.ts';
import { type ReadOptions, readEntry } from './read-entry.ts';

/** A page ends once this much was parsed, however few messages that is: a page that takes seconds helps nobody. */
const PARSE_BUDGET = 3 * 1024 * 1024;
/** Lines that show nothing cost little, but not nothing. */
const SCAN_BUDGET = 64 * 1024 * 1024;

export interface Gathered {
  /** In file order. */
  entries: Entry[];
  start: number;
  end: number;
  /** There are messages beyond, in the reading direction. */
  hasMore: boolean;
}

/** The last messages before a position, from the first line of the first of them. */
export function gatherBefore(source: ByteSource, before: number, limit: number, options: ReadOptions): Gathered {
  const entries: Entry[] = [];
  const tally = createTally(limit);
  let between: Entry[] = [];
  let start: number | undefined;
  let hasMore = false;
  for (const line of linesBackward(source, before)) {
    // a single line longer than all of it still passes, or no page would ever get past it
    if (start !== undefined && before - line.start > SCAN_BUDGET) {
      hasMore = true;
      break;
    }
    const entry = readEntry(line, options);
    if (!tally.isFull) start = line.start;
    if (!entry) continue;
    if (tally.isFull && !tally.knows(entry)) {
      // the first message may have started even earlier, with other lines in between
      if (shows(entry)) hasMore = true;
      if (entry.isTurn) break;
      between.push(entry);
      continue;
    }
    entries.push(...between, entry);
    between = [];
    start = line.start;
    tally.count(entry);
  }
  return { entries: entries.reverse(), start: start ?? before, end: before, hasMore };
}

/** The first messages from a position, up to the next one. */
export function gatherFrom(source: ByteSource, from: number, limit: number, options: ReadOptions): Gathered {
  const entries: Entry[] = [];
  const tally = createTally(limit);
  let end = from;
  for (const line of linesForward(source, from)) {
    if (line.start - from > SCAN_BUDGET) return { entries, start: from, end, hasMore: true };
    const entry = readEntry(line, options);
    if (entry && tally.isFull && shows(entry) && !tally.knows(entry))
      return { entries, start: from, end, hasMore: true };
    end = line.end;
    if (!entry) continue;
    entries.push(entry);
    tally.count(entry);
  }
  return { entries, start: from, end, hasMore: false };
}

function createTally(limit: number) {
  const groups = new Set<string>();
  let messages = 0;
  let bytes = 0;
  return {
    get isFull() {
      return messages >= limit || (messages > 0 && bytes >= PARSE_BUDGET);
    },
    /** One more line of a message that is already counted. */
    knows: ({ group }: Entry) => group !== null && groups.has(group),
    count(entry: Entry) {
      const length = entry.end - entry.start;
      if (length <= MAX_LINE) bytes += length;
      if (!shows(entry) || (entry.group !== null && groups.has(entry.group))) return;
      messages++;
      if (entry.group !== null) groups.add(entry.group);
    },
  };
}

function shows({ parts, group }: Entry): boolean {
  return parts.length > 0 || group !== null;
}
