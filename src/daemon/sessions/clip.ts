/** At most `max` characters, one line, without splitting a character. */
export function cutLine(text: string, max: number): string {
  if (text.length <= max && !/[\t\n\r]| {2}|^ | $/.test(text)) return text;
  // don't scan a 1 MB prompt for a 60-character label
  const line = text
    .slice(0, max * 8)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= max) return line;
  return `${line
    .slice(0, max - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
    .trimEnd()}…`;
}

/** A copy small enough to stream with every update: long strings truncated, long lists and deep trees pruned. */
export function clip(value: unknown, { string = 1000, items = 12, depth = 6 } = {}): unknown {
  if (typeof value === 'string') {
    return value.length <= string
      ? value
      : `${value.slice(0, string).toWellFormed()}… [+${value.length - string} chars]`;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '…';
  const next = { string, items, depth: depth - 1 };
  if (Array.isArray(value)) {
    const kept = value.slice(0, items).map((item) => clip(item, next));
    return value.length > items ? [...kept, `… [+${value.length - items} items]`] : kept;
  }
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, items)
      .map(([key, item]) => [key, clip(item, next)]),
  );
}

export function clipRecord(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return clip(value) as Record<string, unknown>;
}
