import { newList, setSeed } from './memory';
import { add, clear, finish, resultAt } from './messages';
import { ascii, BLANK, byteAt, CARRIAGE_RETURN, findByte, isAt, NEWLINE, OPEN_OBJECT, setLine, TAB } from './text';
import { COUNTED, draft, forget, id, idLength, line, mentionsUsage, UNCLEAR } from './walk';

export { finish, resultAt, setSeed };

/*
 * Kept for speed alone: with JSON.parse the whole index takes 2.0 to 2.4 times the processor time (docs/benchmarks.md).
 *
 * Finds the usage of messages in a transcript's lines without parsing the rest. Fields may come in any order, with blanks between them. A
 * line with escapes outside its content, fractional numbers, or anything else that the client doesn't write is left to JSON.parse.
 */

const COST_STATE = ascii('{"type":"cost-state",');

/** How many ambiguous lines are reported at a time. */
const MAX_UNCLEAR = 1024;
/** Each as its start, its end, and the time of the last message before it; NaN if there was none since the last ambiguous line. */
const unclears = memory.data(1024 * 16, 8);
let unclear = 0;
let lastAt: f64 = NaN;

const MARGIN: usize = 64;
const input = newList(MARGIN);

/** Ensures room for bytes to be read, keeping its content. */
export function inputOf(size: usize): usize {
  if (size + MARGIN > input.size) input.extend(size + MARGIN - input.used);
  return input.at;
}

export function unclearAt(): usize {
  return unclears;
}

export function unclearCount(): i32 {
  return unclear;
}

export function beginFile(): void {
  clear();
  forget();
  lastAt = NaN;
}

/** Reads complete lines, and returns where it stopped: at the end, or when there is no room for more ambiguous lines. */
export function scan(first: usize, last: usize): usize {
  unclear = 0;
  let start = first;
  while (start < last && unclear < MAX_UNCLEAR) {
    const newline = findByte(NEWLINE, start, last);
    scanLine(start, newline);
    start = newline + 1;
  }
  return min(start, last);
}

function scanLine(first: usize, last: usize): void {
  const start = byteAt(first) === OPEN_OBJECT ? first : skipPadding(first, last);
  let stop = last;
  while (stop > start && isPadding(byteAt(stop - 1))) stop--;
  if (start >= stop) return;
  setLine(start, stop);
  const kind = line();
  if (kind === COUNTED) {
    lastAt = draft.at;
    add(draft, id, idLength);
  } else if (kind === UNCLEAR && (isAt(start, COST_STATE) || mentionsUsage(start, stop))) addUnclear(start, stop);
}

/** A crashed machine leaves NUL bytes in place of a line. A line after them is complete. */
function skipPadding(first: usize, last: usize): usize {
  let place = first;
  if (last - place >= 3 && (load<u32>(place) & 0xffffff) === 0xbfbbef) place += 3;
  while (place < last && (byteAt(place) === 0 || isPadding(byteAt(place)))) place++;
  return place;
}

function isPadding(byte: u32): bool {
  return byte === BLANK || byte === TAB || byte === CARRIAGE_RETURN;
}

function addUnclear(start: usize, stop: usize): void {
  const entry = unclears + <usize>unclear * 16;
  unclear++;
  store<u32>(entry, <u32>start);
  store<u32>(entry, <u32>stop, 4);
  store<f64>(entry, lastAt, 8);
  lastAt = NaN;
}
