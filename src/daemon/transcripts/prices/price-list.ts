import type { ModelPrice } from '../../../contract/prices.ts';

/**
 * Every public Claude model. US dollars per million tokens, as Anthropic charges them, without a cloud's regional surcharge. The list is
 * checked against the installed client's own (src/daemon/http/prices.test.ts).
 */
export const PRICE_LIST_DATE = '2026-11-18';
export const PRICE_LIST_SOURCE = "Claude Code 2.1.325's own list; Anthropic's price pages for what it no longer has";

/** A web search, with any model. */
export const WEB_SEARCH_USD = 0.01;
/** Price multiplier for requests that must be served in the United States. */
export const US_ONLY_FACTOR = 1.1;

const K200 = 200_000;
const M1 = 1_000_000;

type Rest = Pick<ModelPrice, 'contextWindow'> & Partial<ModelPrice>;

/** Cache writes follow the input price everywhere: 1.25 times for 5 minutes, twice for an hour. */
function price(model: string, input: number, output: number, cacheRead: number, rest: Rest): ModelPrice {
  return { model, ...rates(input, output, cacheRead), batchFactor: 0.5, ...rest };
}

function rates(input: number, output: number, cacheRead: number) {
  return { input, output, cacheRead, cacheWrite5m: input * 1.25, cacheWrite1h: input * 2 };
}

/**
 * A million-token window cost extra beyond 200,000 tokens while it was in beta: until it came at the usual price for the 4.6 models, and
 * until the older ones lost it. The client charges no such request extra today.
 */
const LONG_BETA = { sonnet: rates(6, 22.5, 0.6), opus: rates(10, 37.5, 1) };

function longBeta(of: keyof typeof LONG_BETA, until: string): Pick<ModelPrice, 'earlier'> {
  const usual = of === 'sonnet' ? rates(3, 15, 0.3) : rates(5, 25, 0.5);
  return { earlier: [{ until, ...usual, longContext: { aboveTokens: K200, ...LONG_BETA[of] } }] };
}

export const PRICE_LIST: readonly ModelPrice[] = [
  price('claude-3-haiku', 0.25, 1.25, 0.03, { contextWindow: K200, cacheWrite5m: 0.3 }),
  price('claude-3-sonnet', 3, 15, 0.3, { contextWindow: K200 }),
  price('claude-3-opus', 15, 75, 1.5, { contextWindow: K200 }),
  price('claude-3-5-haiku', 0.8, 4, 0.08, { contextWindow: K200 }),
  price('claude-3-5-sonnet', 3, 15, 0.3, { contextWindow: K200 }),
  price('claude-3-7-sonnet', 3, 15, 0.3, { contextWindow: K200 }),
  price('claude-haiku-4-5', 1, 5, 0.1, { contextWindow: K200 }),
  price('claude-haiku-5-5', 0.1, 0.5, 0.01, {
    contextWindow: M1,
    longContext: { aboveTokens: 100_000, ...rates(0.5, 2.5, 0.05) },
  }),
  price('claude-sonnet-4', 3, 15, 0.3, {
    contextWindow: K200,
    longContextWindow: M1,
    ...longBeta('sonnet', '2026-05-01'),
  }),
  price('claude-sonnet-4-5', 3, 15, 0.3, {
    contextWindow: K200,
    longContextWindow: M1,
    ...longBeta('sonnet', '2026-05-01'),
  }),
  price('claude-sonnet-4-6', 3, 15, 0.3, {
    contextWindow: K200,
    longContextWindow: M1,
    ...longBeta('sonnet', '2026-03-13'),
  }),
  price('claude-sonnet-5', 2, 10, 0.2, { contextWindow: M1 }),
  price('claude-sonnet-5-5', 2, 10, 0.1, { contextWindow: M1 }),
  price('claude-opus-4', 15, 75, 1.5, { contextWindow: K200 }),
  price('claude-opus-4-1', 15, 75, 1.5, { contextWindow: K200 }),
  price('claude-opus-4-5', 5, 25, 0.5, { contextWindow: K200 }),
  price('claude-opus-4-6', 5, 25, 0.5, {
    contextWindow: K200,
    longContextWindow: M1,
    fastFactor: 6,
    ...longBeta('opus', '2026-03-13'),
  }),
  price('claude-opus-4-7', 5, 25, 0.5, { contextWindow: M1, fastFactor: 6 }),
  price('claude-opus-4-8', 5, 25, 0.5, { contextWindow: M1, fastFactor: 2 }),
  price('claude-opus-5', 5, 25, 0.5, { contextWindow: M1, fastFactor: 2 }),
  price('claude-opus-5-5', 4, 20, 0.2, { contextWindow: M1, fastFactor: 2 }),
  price('claude-fable-5', 10, 50, 1, { contextWindow: M1 }),
  price('claude-fable-5-1', 10, 50, 0.25, { contextWindow: M1 }),
  price('claude-fable-5-2', 8, 40, 0.2, { contextWindow: M1, fastFactor: 2 }),
  price('claude-mythos-5', 10, 50, 1, { contextWindow: M1 }),
  price('claude-mythos-5-1', 10, 50, 0.25, { contextWindow: M1 }),
  price('claude-mythos-5-2', 8, 40, 0.2, { contextWindow: M1, fastFactor: 2 }),
];
