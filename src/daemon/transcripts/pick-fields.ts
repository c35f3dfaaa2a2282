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

export type Picker = (bytes: Buffer, start: number, end: number) => Record<string, unknown> | undefined;

/**
 * Takes a few fields out of a JSON object without making anything of the others, which are most of a transcript. It goes by
 * the structure alone, so the order of fields does not matter, nor what stands inside strings or other objects. Undefined: it
 * is not an object, or written in a way that this does not know; then it must be parsed whole.
 */
export function pickerOf(fields: Fields): Picker {
  const compiled = compile(fields);
  return (bytes, start, end) => {
    const picked: Record<string, unknown> = {};
    const after = pickInside(bytes, start, end, compiled, picked);
    return after === end ? picked : undefined;
  };
}

function compile(fields: Fields): Compiled[] {
  return Object.entries(fields).map(([text, inside]) => ({
    name: Buffer.from(text),
    text,
    inside: inside === true ? undefined : compile(inside),
  }));
}

/** Returns where the object ends, or -1. */
function pickInside(
  bytes: Buffer,
  start: number,
  end: number,
  fields: Compiled[],
  picked: Record<string, unknown>,
): number {
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
      at = pickInside(bytes, at, end, field.inside, inside);
      picked[field.text] = inside;
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
  const length = end - start;
  for (const field of fields) {
    if (field.name.length !== length) continue;
    let same = 0;
    while (same < length && bytes[start + same] === field.name[same]) same++;
    if (same === length) return field;
  }
  return undefined;
}

function take(picked: Record<string, unknown>, name: string, bytes: Buffer, start: number, end: number): boolean {
  const text = bytes.toString('utf8', start, end);
  try {
    // most are plain strings, which are there already
    picked[name] = bytes[start] === QUOTE && !text.includes('\\') ? text.slice(1, -1) : JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
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
