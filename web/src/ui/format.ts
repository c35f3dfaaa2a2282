const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Finer for short durations: seconds matter for what just happened, and text that rarely changes rarely rerenders. */
export function formatDuration(ms: number): string {
  // The daemon's clock may be ahead of the browser's.
  const value = Math.max(0, ms);
  const seconds = Math.floor(value / 1000);
  if (value < MINUTE) return `${seconds}s`;
  if (value < 10 * MINUTE) return `${Math.floor(value / MINUTE)}m ${String(seconds % 60).padStart(2, '0')}s`;
  if (value < HOUR) return `${Math.floor(value / MINUTE)}m`;
  if (value < DAY)
    return `${Math.floor(value / HOUR)}h ${String(Math.floor((value % HOUR) / MINUTE)).padStart(2, '0')}m`;
  return `${Math.floor(value / DAY)}d ${Math.floor((value % DAY) / HOUR)}h`;
}

/** One line of at most `max` characters. Clamping a megabyte of title in the layout is slow. */
export function clipLine(text: string, max: number): string {
  const line = text
    .slice(0, max * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return clip(line, { max });
}

/** Keeps line breaks. */
export function clip(text: string, { max }: { max: number }): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max - 1);
  // Half an emoji renders as a box.
  const whole = /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
  return `${whole.trimEnd()}…`;
}

/** `awaiting_review` → `Awaiting review`: unknown states still read as words. */
export function humanize(name: string): string {
  const words = clipLine(name.replace(/[_-]+/g, ' '), 40);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `claude-opus-4-5-20251101` → `opus 4.5`. */
export function shortModel(model: string): string {
  const name = clipLine(model, 60)
    .replace(/^claude-/, '')
    .replace(/-\d{8}(?=\[|$)/, '');
  return name.replace(/^([a-z]+)-(\d+)(?:-(\d+))?/, (_, family, major, minor) =>
    minor ? `${family} ${major}.${minor}` : `${family} ${major}`,
  );
}

/** `$0.42`, `$12.3k`: exact where it is small, short where it is large. */
export function formatUsd(usd: number): string {
  if (usd >= 100_000) return `$${(usd / 1000).toFixed(0)}k`;
  if (usd >= 1_000) return `$${usd.toFixed(0)}`;
  if (usd > 0 && usd < 0.01) return '<$0.01';
  return `$${usd.toFixed(2)}`;
}

/** `950`, `12.4k`, `3.1M`. */
export function formatTokens(tokens: number): string {
  const units: Array<[number, string]> = [
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'k'],
  ];
  for (const [size, unit] of units) {
    // Decide by the rounded value: 999,500 is 1.0M, not 1000k.
    if (tokens >= 0.9995 * size) return `${(tokens / size).toFixed(tokens >= 99.95 * size ? 0 : 1)}${unit}`;
  }
  return String(tokens);
}

/** `1 file`, `1,204 files`. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`;
}
