import type { Cost, Tokens } from '../../../contract/usage.ts';
import { addCosts } from '../prices/prices.ts';

/** The columns of a query for sums, besides what it groups by. */
export const USAGE_SUMS = `
  SUM(messages) AS messages, SUM(input) AS input, SUM(output) AS output, SUM(cache_read) AS cacheRead,
  SUM(cache_write_5m) AS write5m, SUM(cache_write_1h) AS write1h,
  SUM(total_usd) AS totalUsd, SUM(input_usd) AS inputUsd, SUM(output_usd) AS outputUsd, SUM(cache_read_usd) AS cacheReadUsd,
  SUM(cache_write_usd) AS cacheWriteUsd, SUM(iif(total_usd IS NULL, messages, 0)) AS unpriced`;

export const SUM_NAMES = [
  'messages',
  'input',
  'output',
  'cacheRead',
  'write5m',
  'write1h',
  'totalUsd',
  'inputUsd',
  'outputUsd',
  'cacheReadUsd',
  'cacheWriteUsd',
  'unpriced',
] as const;

/** None that the client generated itself. */
export const COUNTED = `model <> '<synthetic>'`;

export interface UsageSums {
  model: string;
  /** 1: requests without a message. */
  kind: number;
  messages: number;
  input: number;
  output: number;
  cacheRead: number;
  write5m: number;
  write1h: number;
  /** null: none of it has a price. */
  totalUsd: number | null;
  inputUsd: number | null;
  outputUsd: number | null;
  cacheReadUsd: number | null;
  cacheWriteUsd: number | null;
  /** How many of the messages have no price. */
  unpriced: number;
}

export function tokensOf({ input, output, cacheRead, write5m, write1h }: UsageSums): Tokens {
  return {
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: cacheRead,
    cacheCreationTokens: write5m + write1h,
    cacheCreation1hTokens: write1h,
  };
}

export const NO_TOKENS: Readonly<Tokens> = Object.freeze({
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
  cacheCreation1hTokens: 0,
});

export function addTokens(all: Iterable<Tokens>): Tokens {
  const sum = { ...NO_TOKENS };
  for (const tokens of all) for (const kind of Object.keys(sum) as (keyof Tokens)[]) sum[kind] += tokens[kind];
  return sum;
}

export function totalTokens(tokens: Tokens): number {
  return tokens.inputTokens + tokens.outputTokens + tokens.cacheReadTokens + tokens.cacheCreationTokens;
}

export function costOfSums(sums: Iterable<UsageSums>): Cost | null {
  return addCosts(Array.from(sums, (sum) => ({ model: sum.model, cost: costOfOne(sum) })));
}

function costOfOne(sums: UsageSums): Cost | null {
  if (sums.totalUsd === null) return null;
  return {
    totalUsd: sums.totalUsd,
    inputCostUsd: sums.inputUsd ?? 0,
    outputCostUsd: sums.outputUsd ?? 0,
    cacheReadCostUsd: sums.cacheReadUsd ?? 0,
    cacheCreationCostUsd: sums.cacheWriteUsd ?? 0,
    unpricedModels: sums.unpriced > 0 ? [sums.model] : [],
  };
}
