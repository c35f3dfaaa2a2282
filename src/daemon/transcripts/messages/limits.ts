/** How much is shown at once. */
export interface Limits {
  text: number;
  result: number;
  /** Per string in a tool's input. */
  input: number;
  items: number;
  /** The maximum depth of a tool's input: anything deeper would overflow the stack. */
  depth: number;
  diffLines: number;
}

/** For a page: enough to follow along, and about 100 of them still transfer quickly. */
export const PAGE_LIMITS: Limits = { text: 20_000, result: 6_000, input: 4_000, items: 100, depth: 12, diffLines: 400 };

const NO_LIMIT = Number.MAX_SAFE_INTEGER;
export const WHOLE: Limits = {
  text: NO_LIMIT,
  result: NO_LIMIT,
  input: NO_LIMIT,
  items: NO_LIMIT,
  depth: 200,
  diffLines: NO_LIMIT,
};

export interface Clip {
  text: string;
  clipped: boolean;
}

export function clipText(text: string, max: number): Clip {
  if (text.length <= max) return { text: text.toWellFormed(), clipped: false };
  // don't cut a character in half
  const cut = text.slice(0, /[\ud800-\udbff]/.test(text[max - 1] ?? '') ? max - 1 : max);
  return { text: cut.toWellFormed(), clipped: true };
}

/** A tool's input, with long strings and lists truncated. */
export function clipInput(input: Record<string, unknown>, limits: Limits) {
  let clipped = false;
  const clip = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') {
      const cut = clipText(value, limits.input);
      clipped ||= cut.clipped;
      return cut.text;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= limits.depth) {
      clipped = true;
      return '…';
    }
    const entries = Object.entries(value);
    if (entries.length > limits.items) clipped = true;
    const kept = entries.slice(0, limits.items).map(([key, item]) => [key, clip(item, depth + 1)] as const);
    return Array.isArray(value) ? kept.map(([, item]) => item) : Object.fromEntries(kept);
  };
  const value = clip(input, 0) as Record<string, unknown>;
  return { input: value, clipped };
}
