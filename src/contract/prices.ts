import { z } from 'zod';

const usd = z.number().min(0).max(100_000).describe('US dollars per million tokens');

const Rates = z.object({ input: usd, output: usd, cacheRead: usd, cacheWrite5m: usd, cacheWrite1h: usd }).strict();
export type Rates = z.infer<typeof Rates>;

const LongContext = Rates.extend({ aboveTokens: z.number().int().min(1) })
  .optional()
  .describe('Prices for requests whose input is longer than this');

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
            .regex(/^\d{4}-\d{2}-\d{2}$/, 'write a day as 2026-11-16')
            .describe('The first day it no longer applies, in UTC'),
          longContext: LongContext,
        }),
      )
      .optional()
      .describe('Earlier prices, oldest first'),
    batchFactor: z.number().min(0).max(1).default(0.5).describe('Share of the price that a batch request costs'),
    fastFactor: z.number().min(1).max(100).optional().describe('Price multiplier for fast mode'),
    contextWindow: z.number().int().min(1).describe("The model's context window, in tokens"),
    longContextWindow: z.number().int().min(1).optional().describe('Its context window under its [1m] name'),
  })
  .strict();
export type ModelPrice = z.infer<typeof ModelPrice>;

export const PriceList = z.object({
  date: z.string().describe('When the built-in list was last checked'),
  source: z.string(),
  models: z.array(ModelPrice).describe('The prices in effect: the built-in list with overrides applied'),
  overrides: z.array(ModelPrice).describe('Set by the operator'),
  problem: z.string().nullable().describe('Why the overrides file is ignored'),
});
export type PriceList = z.infer<typeof PriceList>;

export const PriceOverrides = z.object({ overrides: z.array(ModelPrice).max(200) }).strict();
