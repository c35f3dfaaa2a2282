import type { Cost, Tokens } from '../contract/usage.ts';

let compact: Intl.NumberFormat | undefined;

export function showCount(count: number): string {
  compact ??= new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
  return compact.format(count);
}

export function showTokens(tokens: Tokens): string {
  const { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens } = tokens;
  return showCount(inputTokens + outputTokens + cacheReadTokens + cacheCreationTokens);
}

/** With a plus if some models have no price. */
export function showCost(cost: Cost | null): string {
  if (cost === null) return 'unknown';
  const { totalUsd, unpricedModels } = cost;
  const sum = totalUsd > 0 && totalUsd < 0.01 ? '<$0.01' : `$${totalUsd.toFixed(2)}`;
  return unpricedModels.length > 0 ? `${sum}+` : sum;
}

export function showShare(share: number | null): string {
  return share === null ? '–' : `${Math.round(share * 100)}%`;
}

export function showDuration(ms: number | undefined): string {
  if (ms === undefined) return '–';
  if (ms < 1000) return `${Math.round(ms)}ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
  return `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`;
}

/** How to see more, within the maximum limit. */
export function moreHint(limit: number, max: number): string {
  return limit < max ? `Narrow the query, or use --limit ${Math.min(limit * 5, max)}.` : 'Narrow the query.';
}

/** Local time, to the minute. */
export function showTime(at: number): string {
  const date = new Date(at);
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Right-aligns every column but the first. */
export function alignFigures(rows: string[][]): string[][] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length))) ?? [];
  return rows.map((row) => row.map((cell, column) => (column === 0 ? cell : cell.padStart(widths[column]!))));
}
