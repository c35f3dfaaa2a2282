/** A crashed machine leaves NUL bytes in place of a line. A line after them is complete. */
export function skipPadding(bytes: Buffer, start: number, end: number): number {
  let first = start;
  if (end - first >= 3 && bytes[first] === 0xef && bytes[first + 1] === 0xbb && bytes[first + 2] === 0xbf) first += 3;
  while (first < end && (bytes[first] === 0 || isBlank(bytes[first]!))) first++;
  return first;
}

export function isBlank(byte: number): boolean {
  return byte === 32 || byte === 9 || byte === 13;
}
