import { z } from 'zod';

export const Tokens = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheCreationTokens: z.number().describe('Both kinds of cache writes together'),
  cacheCreation1hTokens: z.number().describe('Those of them that are kept for an hour; the others last 5 minutes'),
});
export type Tokens = z.infer<typeof Tokens>;

export const Cost = z.object({
  totalUsd: z.number().describe('The parts, and what searches on the web cost'),
  inputCostUsd: z.number(),
  outputCostUsd: z.number(),
  cacheReadCostUsd: z.number(),
  cacheCreationCostUsd: z.number(),
  unpricedModels: z.array(z.string()).describe('Models without a price: the total leaves out what they cost'),
});
export type Cost = z.infer<typeof Cost>;

export const ModelUsage = z.object({
  model: z.string(),
  tokens: Tokens,
  cost: Cost.nullable().describe('null: no price is known for this model'),
});
export type ModelUsage = z.infer<typeof ModelUsage>;
