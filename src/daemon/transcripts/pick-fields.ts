const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Names of fields to pick, with what to pick inside them; `true`: all of it. */
export interface Fields {
  [name: string]: true | Fields;
}

interface Compiled {
  name: Buffer;
  text: string;
  inside: Compiled[] | undefined;
}

/** `jump`: where the array that is called `over` is believed to end, so that it need not be walked through. */
export type Picker = (bytes: Buffer, start: number, end: number, jump?: number) => Record<string, unknown> | undefined;

/**
 * Takes a few fields out of a JSON object without making anything of the others, which are most of a transcript. It goes by
 * the structure alone, so the order of fields does not matter, nor what stands inside strings or other objects. Undefined: it
 * is not an object, or written in a way that this does not know; then it must be parsed whole.
 */
export function pickerOf(fields: Fields, { over = '' } = {}): Picker {
  const compiled = compile(fields);
  const skipped = Buffer.from(over);
  return (bytes, start, end, jump = 0) => {
    const picked: Record<string, unknown> = {};
    const after = pickInside({ bytes, end, skipped, jump }, start, compiled, picked);
    return after === end ? picked : undefined;
  };
}

interface Walk {
  bytes: Buffer;
  end: number;
  skipped: Buffer;
  jump: number;
}

function compile(fields: Fields): Compiled[] {
  return Object.entries(fields).map(([text, inside]) => ({
    name: Buffer.from(text),
    text,
    inside: inside === true ? undefined : compile(inside),
  }));
}

/** Returns where the object ends, or -1. */
function pickInside(walk: Walk, start: number, fields: Compiled[], picked: Record<string, unknown>): number {
  const { bytes, end } = walk;
  if (bytes[start] !== OPEN_OBJECT) return -1;
  let at = skipBlanks(bytes, start + 1, end);
  if (bytes[at] === CLOSE_OBJECT) return at + 1;
  for (;;) {
    if (at >= end || bytes[at] !== QUOTE) return -1;
    const name = at + 1;
    const nameEnd = skipString(bytes, name, end);
    if (nameEnd === -1) return -1;
    at = skipBlanks(bytes, nameEnd + 1, end);
    if (bytes[at] !== COLON) return -1;
    at = skipBlanks(bytes, at + 1, end);
    const field = find(bytes, name, nameEnd, fields);
    const value = at;
    if (field?.inside && bytes[at] === OPEN_OBJECT) {
      const inside: Record<string, unknown> = {};
      at = pickInside(walk, at, field.inside, inside);
      picked[field.text] = inside;
    } else if (bytes[at] === OPEN_ARRAY && walk.jump > at && isName(bytes, name, nameEnd, walk.skipped)) {
      at = walk.jump;
      walk.jump = 0;
    } else {
      at = skipValue(bytes, at, end);
      if (field && at !== -1 && !take(picked, field.text, bytes, value, at)) return -1;
    }
    if (at === -1) return -1;
    at = skipBlanks(bytes, at, end);
    if (bytes[at] === CLOSE_OBJECT) return at < end ? at + 1 : -1;
    if (bytes[at] !== COMMA) return -1;
    at = skipBlanks(bytes, at + 1, end);
  }
}

function find(bytes: Buffer, start: number, end: number, fields: Compiled[]): Compiled | undefined {
  for (const field of fields) if (isName(bytes, start, end, field.name)) return field;
  return undefined;
}

function isName(bytes: Buffer, start: number, end: number, name: Buffer): boolean {
  const length = end - start;
  if (name.length !== length) return false;
  for (let at = 0; at < length; at++) if (bytes[start + at] !== name[at]) return false;
  return true;
}

function take(picked: Record<string, unknown>, name: string, bytes: Buffer, start: number, end: number): boolean {
  const count = countAt(bytes, start, end);
  if (count !== undefined) {
    picked[name] = count;
    return true;
  }
  const isString = bytes[start] === QUOTE;
  const text = isString ? bytes.toString('utf8', start + 1, end - 1) : bytes.toString('utf8', start, end);
  try {
    // most are plain strings, which need not be parsed
    picked[name] = isString && !text.includes('\\') ? text : JSON.parse(isString ? `"${text}"` : text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** A whole number that is not too large to be added up digit by digit. */
function countAt(bytes: Buffer, start: number, end: number): number | undefined {
  if (end - start > 15 || (bytes[start] === 0x30 && end - start > 1)) return undefined;
  let count = 0;
  for (let at = start; at < end; at++) {
    const digit = bytes[at]! - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    count = count * 10 + digit;
  }
  return count;
}

/** Returns where the value ends, or -1. */
function skipValue(bytes: Buffer, start: number, end: number): number {
  const first = bytes[start];
  if (first === QUOTE) {
    const quote = skipString(bytes, start + 1, end);
    return quote === -1 ? -1 : quote + 1;
  }
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return skipNested(bytes, start, end);
  let at = start;
  while (at < end && !endsScalar(bytes[at]!)) at++;
  return at === start ? -1 : at;
}

function skipNested(bytes: Buffer, start: number, end: number): number {
  let depth = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      at = skipString(bytes, at + 1, end);
      if (at === -1) return -1;
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** To the closing quote, or -1. */
function skipString(bytes: Buffer, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  return -1;
}

function skipBlanks(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && (bytes[at] === 32 || bytes[at] === 9 || bytes[at] === 13)) at++;
  return at;
}

function endsScalar(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte <= 32;
}
