import type { Tokens } from '../../../contract/usage.ts';
import type { UsageRecord } from './usage.ts';

/** What any number of requests to one model used. */
export interface Totals {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
  webSearches: number;
}

export const COUNTS = ['input', 'output', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'webSearches'] as const;

export function noTotals(): Totals {
  return { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, webSearches: 0 };
}

export function addTotals(sum: Totals, more: Totals): void {
  for (const count of COUNTS) sum[count] += more[count];
}

export function isNothing(totals: Totals): boolean {
  return COUNTS.every((count) => totals[count] === 0);
}

/** By the model's name in the messages. */
export function totalsByModel(records: Iterable<UsageRecord>): Map<string, Totals> {
  const sums = new Map<string, Totals>();
  for (const record of records) {
    const sum = sums.get(record.model) ?? noTotals();
    sums.set(record.model, sum);
    addTotals(sum, record);
  }
  return sums;
}

export function tokensOfTotals({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: Totals): Tokens {
  return {
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: cacheRead,
    cacheCreationTokens: cacheWrite5m + cacheWrite1h,
    cacheCreation1hTokens: cacheWrite1h,
  };
}
