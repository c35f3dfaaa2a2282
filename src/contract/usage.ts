import { z } from 'zod';

export const Tokens = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheCreationTokens: z.number().describe('Both kinds of cache writes together'),
  cacheCreation1hTokens: z.number().describe('The ones kept for an hour; the others last 5 minutes'),
});
export type Tokens = z.infer<typeof Tokens>;

export const Cost = z.object({
  totalUsd: z.number().describe('The parts, plus web searches'),
  inputCostUsd: z.number(),
  outputCostUsd: z.number(),
  cacheReadCostUsd: z.number(),
  cacheCreationCostUsd: z.number(),
  unpricedModels: z.array(z.string()).describe('Models without a price, which the total leaves out'),
});
export type Cost = z.infer<typeof Cost>;

export const ModelUsage = z.object({
  model: z.string(),
  tokens: Tokens,
  cost: Cost.nullable().describe('null: no price is known for this model'),
});
export type ModelUsage = z.infer<typeof ModelUsage>;

/** The part of a fork that was copied from another session and is counted there. */
export const Inherited = z.object({
  tokens: Tokens,
  cost: Cost.nullable().describe('null: no price is known'),
  from: z.string().nullable().describe('The session most of it comes from. null: unknown'),
});
export type Inherited = z.infer<typeof Inherited>;

/** Requests known from the transcript whose usage the client writes only when it leaves the session. */
export const Uncounted = z.object({
  compactions: z.number(),
  webSearches: z.number(),
});
export type Uncounted = z.infer<typeof Uncounted>;
