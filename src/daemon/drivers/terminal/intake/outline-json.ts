/** What can be said about a JSON object without building it. */
export interface Outline {
  /** Top-level strings, except long ones. */
  strings: Map<string, string>;
  /** Values, keys and nesting: the cost of parsing it. */
  values: number;
  depth: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
/** Ids, names and paths are shorter. */
const MAX_STRING = 4096;

/**
 * Scans the bytes once. JSON.parse takes seconds for a million keys in one object; this takes milliseconds, even on truncated text. It
 * validates nothing, so its result for non-JSON text is meaningless.
 */
export function outlineJson(bytes: Buffer): Outline {
  const strings = new Map<string, string>();
  let values = 1;
  let depth = 0;
  let deepest = 0;
  let key: string | undefined;
  let isValue = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = endOfString(bytes, at + 1);
      if (depth === 1) {
        const text = end - at <= MAX_STRING ? readString(bytes.subarray(at, end + 1)) : undefined;
        if (!isValue) key = text;
        else if (key !== undefined && text !== undefined) strings.set(key, text);
      }
      at = end;
    } else if (byte === COMMA) {
      values++;
      if (depth === 1) isValue = false;
    } else if (byte === COLON) {
      values++;
      if (depth === 1) isValue = true;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      depth++;
      deepest = Math.max(deepest, depth);
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth--;
  }
  return { strings, values, depth: deepest };
}

/** The position of the closing quote. Searching for quotes would be slower on text full of escaped ones. */
function endOfString(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at++;
    else if (byte === QUOTE) return at;
  }
  return bytes.length;
}

function readString(quoted: Buffer): string | undefined {
  try {
    const text: unknown = JSON.parse(quoted.toString('utf8'));
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}
