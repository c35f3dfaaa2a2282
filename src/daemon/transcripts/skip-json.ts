const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** From the first byte inside an array to its `]`, without making anything of it. -1: it does not close. */
export function skipArray(bytes: Buffer, from: number, end: number): number {
  let depth = 1;
  let at = from;
  while (at < end) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      at = skipString(bytes, at + 1, end);
      if (at === -1) return -1;
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      depth--;
      if (depth === 0) return byte === CLOSE_ARRAY ? at : -1;
    }
    at++;
  }
  return -1;
}

/** To the closing quote. */
function skipString(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end) {
    const byte = bytes[at]!;
    if (byte === QUOTE) return at;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return -1;
}
