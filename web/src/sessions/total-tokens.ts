import type { Tokens } from '../../../src/contract/usage.ts';

export function totalTokens({ inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens }: Tokens): number {
  return inputTokens + outputTokens + cacheReadTokens + cacheCreationTokens;
}
