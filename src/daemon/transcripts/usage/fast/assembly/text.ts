/** Steps through the bytes of one line of JSON. A step returns false if the line isn't in the client's format. */

export const TAB: u32 = 0x09;
export const NEWLINE: u32 = 0x0a;
export const CARRIAGE_RETURN: u32 = 0x0d;
export const BLANK: u32 = 0x20;
export const QUOTE: u32 = 0x22;
const PLUS: u32 = 0x2b;
export const COMMA: u32 = 0x2c;
export const MINUS: u32 = 0x2d;
export const DOT: u32 = 0x2e;
export const ZERO: u32 = 0x30;
export const COLON: u32 = 0x3a;
export const OPEN_ARRAY: u32 = 0x5b;
const BACKSLASH: u32 = 0x5c;
export const CLOSE_ARRAY: u32 = 0x5d;
export const OPEN_OBJECT: u32 = 0x7b;
export const CLOSE_OBJECT: u32 = 0x7d;

/** How deeply objects in irrelevant fields may nest. */
const MAX_DEPTH = 8;
/** A number with more digits may not be exact. */
const MAX_DIGITS: usize = 15;

const TRUE = ascii('true');
const FALSE = ascii('false');
const NULL = ascii('null');

/** The next byte to read, and the line's end. */
export let at: usize = 0;
export let end: usize = 0;
/** The last string that was read, without its quotes. */
export let from: usize = 0;
export let to: usize = 0;

export function ascii(text: string): ArrayBuffer {
  return String.UTF8.encode(text);
}

export function setLine(first: usize, last: usize): void {
  at = first;
  end = last;
}

export function moveTo(place: usize): void {
  at = place;
}

export function byteAt(place: usize): u32 {
  return load<u8>(place);
}

/** The next position of the byte, or `last`. */
export function findByte(byte: u32, first: usize, last: usize): usize {
  const wanted = i8x16.splat(<i8>byte);
  let place = first;
  for (; place + 64 <= last; place += 64) {
    const a = i8x16.eq(v128.load(place), wanted);
    const b = i8x16.eq(v128.load(place, 16), wanted);
    const c = i8x16.eq(v128.load(place, 32), wanted);
    const d = i8x16.eq(v128.load(place, 48), wanted);
    if (v128.any_true(v128.or(v128.or(a, b), v128.or(c, d)))) break;
  }
  for (; place + 16 <= last; place += 16) {
    const hits = i8x16.bitmask(i8x16.eq(v128.load(place), wanted));
    if (hits !== 0) return place + ctz(hits);
  }
  for (; place < last; place++) if (byteAt(place) === byte) return place;
  return last;
}

/** The next position of the text, or `last`. Compares its first, second and last bytes in one step. */
export function findText(text: ArrayBuffer, first: usize, last: usize): usize {
  const length = <usize>text.byteLength;
  const pattern = changetype<usize>(text);
  const begins = i8x16.splat(load<u8>(pattern));
  const goesOn = i8x16.splat(load<u8>(pattern + 1));
  const ends = i8x16.splat(load<u8>(pattern + length - 1));
  let place = first;
  for (; place + 16 + length <= last; place += 16) {
    const both = v128.and(i8x16.eq(v128.load(place), begins), i8x16.eq(v128.load(place, 1), goesOn));
    let hits = i8x16.bitmask(v128.and(both, i8x16.eq(v128.load(place + length - 1), ends)));
    for (; hits !== 0; hits &= hits - 1) {
      const hit = place + ctz(hits);
      if (memory.compare(hit, pattern, length) === 0) return hit;
    }
  }
  for (; place + length <= last; place++) if (memory.compare(place, pattern, length) === 0) return place;
  return last;
}

/** The last position of the text, or 0. */
export function findLastText(text: ArrayBuffer, first: usize, last: usize): usize {
  let found: usize = 0;
  for (let place = findText(text, first, last); place < last; place = findText(text, place + 1, last)) found = place;
  return found;
}

/** Whether the last string that was read is this one. */
export function is(text: ArrayBuffer): bool {
  const length = <usize>text.byteLength;
  return to - from === length && memory.compare(from, changetype<usize>(text), length) === 0;
}

export function isAt(place: usize, text: ArrayBuffer): bool {
  const length = <usize>text.byteLength;
  return place + length <= end && memory.compare(place, changetype<usize>(text), length) === 0;
}

export function skipBlanks(): void {
  while (byteAt(at) === BLANK || byteAt(at) === TAB) at++;
}

export function expect(byte: u32): bool {
  skipBlanks();
  return byteAt(at++) === byte;
}

/** A string without escapes. */
export function text(): bool {
  if (!expect(QUOTE)) return false;
  from = at;
  for (; at < end; at++) {
    const byte = byteAt(at);
    if (byte === QUOTE) break;
    if (byte === BACKSLASH || byte < BLANK) return false;
  }
  to = at++;
  return to < end;
}

/** The key is the last string that was read. */
export function key(): bool {
  if (!text() || !expect(COLON)) return false;
  skipBlanks();
  return true;
}

/** After a field or an item: whether another one follows. */
export function goesOn(): bool {
  skipBlanks();
  if (byteAt(at) !== COMMA) return false;
  at++;
  skipBlanks();
  return true;
}

export function closes(byte: u32): bool {
  return byteAt(at++) === byte && at <= end;
}

/** Right after a bracket: whether it closes immediately. */
export function isEmpty(close: u32): bool {
  skipBlanks();
  if (byteAt(at) !== close) return false;
  at++;
  return true;
}

function isDigit(byte: u32): bool {
  return byte - ZERO <= 9;
}

export let number: f64 = 0;

export function whole(): bool {
  const isNegative = byteAt(at) === MINUS;
  if (isNegative) at++;
  const first = at;
  let value: i64 = 0;
  for (; at < end && isDigit(byteAt(at)); at++) value = value * 10 + <i64>(byteAt(at) - ZERO);
  const digits = at - first;
  if (digits === 0 || digits > MAX_DIGITS || (byteAt(first) === ZERO && digits > 1)) return false;
  number = <f64>(isNegative ? -value : value);
  return true;
}

/** A count of tokens, in `number`. Anything but a number counts as none, and so does one below zero. */
export function count(): bool {
  number = 0;
  const first = byteAt(at);
  if (first !== MINUS && !isDigit(first)) {
    const isPast = skip(MAX_DEPTH);
    number = 0;
    return isPast;
  }
  if (!whole()) return false;
  number = max(0, number);
  return true;
}

function fraction(): bool {
  if (byteAt(at) === DOT) {
    at++;
    if (!someDigits()) return false;
  }
  if ((byteAt(at) | 0x20) !== 0x65) return true;
  at++;
  if (byteAt(at) === MINUS || byteAt(at) === PLUS) at++;
  return someDigits();
}

function someDigits(): bool {
  const first = at;
  while (isDigit(byteAt(at))) at++;
  return at > first;
}

/** Skips an irrelevant value, with objects in it down to a depth. */
export function skip(depth: i32): bool {
  const first = byteAt(at);
  if (first === QUOTE) return text();
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return skipNested(depth);
  if (first === 0x74) return word(TRUE);
  if (first === 0x66) return word(FALSE);
  if (first === 0x6e) return word(NULL);
  return whole() && fraction();
}

function skipNested(depth: i32): bool {
  if (depth === 0) return false;
  const isObject = byteAt(at++) === OPEN_OBJECT;
  const close: u32 = isObject ? CLOSE_OBJECT : CLOSE_ARRAY;
  if (isEmpty(close)) return true;
  do {
    if (isObject && !key()) return false;
    if (!skip(depth - 1)) return false;
  } while (goesOn());
  return closes(close);
}

function word(expected: ArrayBuffer): bool {
  if (!isAt(at, expected)) return false;
  at += expected.byteLength;
  return true;
}

/** Whether the value that `literal` passed was `true`. */
export let isTrue: bool = false;

export function literal(): bool {
  const first = at;
  if (!skip(0)) return false;
  isTrue = at - first === 4 && isAt(first, TRUE);
  return true;
}

/** Skips a list or an object with any content, reading only strings and brackets. */
export function skipAny(): bool {
  let depth = 0;
  do {
    const byte = byteAt(at);
    if (byte === QUOTE) {
      if (!toClosingQuote()) return false;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--;
    else if (!isPlain(byte)) return false;
    at++;
  } while (depth > 0 && at < end);
  return depth === 0;
}

/** The letters of `true`, `false` and `null`, as bits from `a` on. */
const WORD_LETTERS: u32 = 0x1e2831;

/** Characters allowed between the strings and brackets of JSON. */
function isPlain(byte: u32): bool {
  switch (byte) {
    case COLON:
    case COMMA:
    case BLANK:
    case TAB:
    case PLUS:
    case MINUS:
    case DOT:
    case 0x45:
      return true;
    default:
      return isDigit(byte) || (byte >= 0x61 && byte <= 0x75 && ((WORD_LETTERS >> (byte - 0x61)) & 1) === 1);
  }
}

/** From an opening quote to its closing one. */
function toClosingQuote(): bool {
  const first = at + 1;
  for (let place = findByte(QUOTE, first, end); place < end; place = findByte(QUOTE, place + 1, end)) {
    let before = place;
    while (before > first && byteAt(before - 1) === BACKSLASH) before--;
    if (((place - before) & 1) === 0) {
      at = place;
      return true;
    }
  }
  return false;
}
