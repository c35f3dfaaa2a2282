import type { Uncounted } from '../../../src/contract/usage.ts';

/** The client writes these requests' usage when it leaves the session, and never if it is killed. */
export function uncountedText({ compactions, webSearches }: Uncounted, { hasEnded }: { hasEnded: boolean }): string {
  const parts = [named(compactions, 'compaction', 'compactions'), named(webSearches, 'web search', 'web searches')];
  const what = parts.filter((part) => part !== '').join(' and ');
  return hasEnded
    ? `Excludes ${what}: Claude Code didn't report the cost.`
    : `Excludes ${what}: Claude Code reports the cost when the session ends.`;
}

function named(count: number, one: string, many: string): string {
  if (count === 0) return '';
  return `${count} ${count === 1 ? one : many}`;
}
