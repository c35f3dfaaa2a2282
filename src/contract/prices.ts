import { z } from 'zod';

const usd = z.number().min(0).max(100_000).describe('US dollars per million tokens');

const Rates = z.object({ input: usd, output: usd, cacheRead: usd, cacheWrite5m: usd, cacheWrite1h: usd }).strict();
export type Rates = z.infer<typeof Rates>;

const LongContext = Rates.extend({ aboveTokens: z.number().int().min(1) })
  .optional()
  .describe('What a request costs whose input is longer than this');

export const ModelPrice = z
  .object({
    model: z.string().trim().min(1).max(200).describe('The name in the API, without its date: claude-opus-4-5'),
    ...Rates.shape,
    longContext: LongContext,
    earlier: z
      .array(
        Rates.extend({
          until: z
            .string()
            .regex(/^\d{4}-\d{2}-\d{2}$/, 'a day is written 2026-11-16')
            .describe('The first day without it, in UTC'),
          longContext: LongContext,
        }),
      )
      .optional()
      .describe('What requests of earlier days cost, the oldest first'),
    batchFactor: z.number().min(0).max(1).default(0.5).describe('What of it a batch request costs'),
    fastFactor: z.number().min(1).max(100).optional().describe('What a request in fast mode costs, times the rest'),
    contextWindow: z.number().int().min(1).describe('Tokens that the model takes'),
    longContextWindow: z.number().int().min(1).optional().describe('Tokens that it takes under its [1m] name'),
  })
  .strict();
export type ModelPrice = z.infer<typeof ModelPrice>;

export const PriceList = z.object({
  date: z.string().describe('When the built-in list was last checked'),
  source: z.string(),
  models: z.array(ModelPrice).describe('What is in force: the built-in list with the overrides in their places'),
  overrides: z.array(ModelPrice).describe('Set by the operator'),
  problem: z.string().nullable().describe('Why the file with the overrides is not used'),
});
export type PriceList = z.infer<typeof PriceList>;

export const PriceOverrides = z.object({ overrides: z.array(ModelPrice).max(200) }).strict();
