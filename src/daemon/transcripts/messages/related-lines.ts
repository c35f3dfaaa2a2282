import type { ByteSource } from './byte-source.ts';
import type { Entry } from './entry.ts';
import { callIds, type Draft, foldMessages } from './fold-messages.ts';
import { linesBackward, linesForward, type RawLine } from './lines.ts';
import { type ReadOptions, readEntry } from './read-entry.ts';

/** How far from a message to look for its other lines and its results. Results come soon, or never. */
const REACH = 4 * 1024 * 1024;
const RESULT_ID = Buffer.from('"tool_use_id":"');

interface Sought {
  /** Calls without a result yet. */
  calls: Set<string>;
  /** The message that may continue. */
  group: string | null;
}

/** What these lines' messages still lack, from the lines after them. `to` is how far we looked. */
export function readAhead(
  source: ByteSource,
  from: number,
  known: Entry[],
  options: ReadOptions,
): { entries: Entry[]; to: number } {
  const sought: Sought = { calls: openCalls(known), group: lastGroup(known) };
  const entries: Entry[] = [];
  let to = from;
  for (const line of linesForward(source, from)) {
    if ((sought.calls.size === 0 && sought.group === null) || line.start - from > REACH) break;
    to = line.end;
    const entry = sought.group !== null || hasResultOf(line, sought.calls) ? readEntry(line, options) : undefined;
    if (entry) take(entry, sought, entries);
  }
  return { entries, to };
}

function take(entry: Entry, sought: Sought, entries: Entry[]): void {
  const goesOn = sought.group !== null && entry.group === sought.group;
  if (entry.isTurn && !goesOn) sought.group = null;
  const results = entry.results.filter(({ toolUseId }) => goesOn || sought.calls.has(toolUseId));
  if (goesOn) for (const id of callIds(entry)) sought.calls.add(id);
  for (const { toolUseId } of results) sought.calls.delete(toolUseId);
  if (goesOn) entries.push(entry);
  else if (results.length > 0) entries.push({ ...entry, isTurn: false, group: null, parts: [], results });
}

function openCalls(entries: Entry[]): Set<string> {
  const open = new Set(entries.flatMap(callIds));
  for (const { results } of entries) for (const { toolUseId } of results) open.delete(toolUseId);
  return open;
}

/** Only the last response may continue, and only if nothing came after it. */
function lastGroup(entries: Entry[]): string | null {
  return entries.findLast(({ isTurn }) => isTurn)?.group ?? null;
}

/** By bytes, since most lines are unrelated and needn't be parsed. */
function hasResultOf({ bytes }: RawLine, calls: Set<string>): boolean {
  if (bytes === null) return false;
  for (let at = bytes.indexOf(RESULT_ID); at !== -1; at = bytes.indexOf(RESULT_ID, at + 1)) {
    const start = at + RESULT_ID.length;
    const end = bytes.indexOf('"', start);
    if (end !== -1 && end - start < 300 && calls.has(bytes.toString('utf8', start, end))) return true;
  }
  return false;
}

/** The message whose first line starts here. */
export function messageAt(source: ByteSource, head: number, options: ReadOptions): Draft | undefined {
  const [line] = linesForward(source, head);
  const entry = line && readEntry(line, options);
  if (!entry) return undefined;
  const { entries } = readAhead(source, entry.end, [entry], options);
  return foldMessages([entry, ...entries])[0];
}

/** Where the message that this line, before the position, belongs to starts. */
export function findGroupHead(
  source: ByteSource,
  before: number,
  group: string,
  options: ReadOptions,
): number | undefined {
  let head: number | undefined;
  for (const line of linesBackward(source, before)) {
    if (before - line.start > REACH) break;
    const entry = readEntry(line, options);
    if (entry?.group === group) head = entry.start;
    else if (entry?.isTurn) break;
  }
  return head;
}

/** Where the messages with these calls start, before the position. */
export function findCallHeads(source: ByteSource, before: number, calls: string[], options: ReadOptions): Set<number> {
  const heads = new Set<number>();
  // a poll finds a handful; a page in the middle has no use for more
  const missing = new Set(calls.slice(0, 50));
  for (const line of linesBackward(source, before)) {
    if (missing.size === 0 || before - line.start > REACH) break;
    if (![...missing].some((id) => line.bytes?.includes(id))) continue;
    const entry = readEntry(line, options);
    const found = entry ? callIds(entry).filter((id) => missing.has(id)) : [];
    for (const id of found) missing.delete(id);
    if (entry?.group && found.length > 0)
      heads.add(findGroupHead(source, entry.end, entry.group, options) ?? entry.start);
  }
  return heads;
}
