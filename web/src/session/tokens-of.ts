import type { Tokens } from '../../../src/contract/usage.ts';

/** All kinds together. */
export function tokensOf(tokens: Tokens): number {
  return tokens.inputTokens + tokens.outputTokens + tokens.cacheReadTokens + tokens.cacheCreationTokens;
}
