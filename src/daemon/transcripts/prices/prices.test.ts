import { expect, it } from 'vitest';
import { ModelPrice } from '../../../contract/prices.ts';
import { PRICE_LIST } from './price-list.ts';
import { addCosts, NO_COST, Prices } from './prices.ts';

const usage = {
  inputTokens: 1000,
  outputTokens: 200,
  cacheReadTokens: 30_000,
  cacheCreationTokens: 5000,
  cacheCreation1hTokens: 2000,
};
const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0, cacheCreation1hTokens: 0 };
const prices = new Prices();
const own = ModelPrice.parse({
  model: 'claude-opus-5-20260724',
  input: 1,
  output: 2,
  cacheRead: 3,
  cacheWrite5m: 4,
  cacheWrite1h: 5,
  contextWindow: 50,
});

it('charges each kind of token at its own rate', () => {
  const cost = prices.costOf('claude-opus-4-5-20251101', usage)!;
  expect(cost.inputCostUsd).toBeCloseTo(0.005, 12);
  expect(cost.outputCostUsd).toBeCloseTo(0.005, 12);
  expect(cost.cacheReadCostUsd).toBeCloseTo(0.015, 12);
  expect(cost.cacheCreationCostUsd).toBeCloseTo(0.02 + 0.018_75, 12);
  expect(cost.totalUsd).toBeCloseTo(0.063_75, 12);
});

it('has no price for an unknown model with a similar name', () => {
  for (const model of ['claude-opus-4-9', 'claude-opus-51', 'claude-opus', 'gpt-6', '', 'constructor', '__proto__'])
    expect(prices.costOf(model, usage)).toBeNull();
});

it('charges nothing for messages that no model wrote', () => {
  expect(prices.costOf('<synthetic>', none)).toEqual(NO_COST);
  expect(prices.contextLimitOf('<synthetic>')).toBeNull();
});

it.each([
  ['fast', { fast: true }, 'claude-opus-4-6', 6],
  ['fast', { fast: true }, 'claude-opus-5-5', 2],
  ['fast where there is no such mode', { fast: true }, 'claude-sonnet-5', 1],
  ['batch', { batch: true }, 'claude-sonnet-5', 0.5],
  ['United States only', { usOnly: true }, 'claude-sonnet-5', 1.1],
  ['all of it', { fast: true, batch: true, usOnly: true }, 'claude-opus-5', 1.1],
])('%s: %o costs %s × %d', (_, flags, model, factor) => {
  const plain = prices.costOf(model, usage)!.totalUsd;
  expect(prices.costOf(model, { ...usage, ...flags })!.totalUsd).toBeCloseTo(plain * factor, 12);
});

it('adds a cent for a search on the web', () => {
  const more = prices.costOf('claude-sonnet-5', { ...usage, webSearches: 3 })!.totalUsd;
  expect(more - prices.costOf('claude-sonnet-5', usage)!.totalUsd).toBeCloseTo(0.03, 12);
});

it('charges the whole request at the long rates once its input, cached or not, is long', () => {
  const at = (cacheReadTokens: number) =>
    prices.costOf('claude-haiku-5-5', { ...none, inputTokens: 10, outputTokens: 100, cacheReadTokens })!;
  expect(at(99_990).outputCostUsd).toBeCloseTo(0.000_05, 12);
  expect(at(99_991).outputCostUsd).toBeCloseTo(0.000_25, 12);
  expect(at(99_991).cacheReadCostUsd).toBeCloseTo(0.004_999_55, 12);
});

it('uses the price of the day of the request', () => {
  const long = { ...none, inputTokens: 250_000, outputTokens: 1000 };
  const on = (model: string, day?: string) =>
    prices.costOf(model, { ...long, ...(day ? { at: Date.parse(day) } : {}) })!.totalUsd;
  expect(on('claude-sonnet-4-5', '2025-11-01')).toBeCloseTo(1.5225, 12);
  expect(on('claude-sonnet-4-5', '2026-04-30T23:59:59Z')).toBeCloseTo(1.5225, 12);
  expect(on('claude-sonnet-4-5', '2026-05-01')).toBeCloseTo(0.765, 12);
  expect(on('claude-sonnet-4-5')).toBeCloseTo(0.765, 12);
  expect(on('claude-opus-4-6', '2026-03-01')).toBeCloseTo(2.5375, 12);
  expect(on('claude-opus-4-6', '2026-03-13')).toBeCloseTo(1.275, 12);
});

it('counts at most as many one-hour cache tokens as were written', () => {
  const odd = { ...none, cacheCreationTokens: 100, cacheCreation1hTokens: 1000 };
  expect(prices.costOf('claude-opus-5', odd)!.totalUsd).toBeCloseTo(0.001, 12);
});

it('knows each model’s context window', () => {
  expect(prices.contextLimitOf('claude-opus-4-6')).toBe(200_000);
  expect(prices.contextLimitOf('claude-opus-4-6[1m]')).toBe(1_000_000);
  expect(prices.contextLimitOf('claude-opus-4-6', { usedTokens: 200_001 })).toBe(1_000_000);
  expect(prices.contextLimitOf('claude-haiku-4-5[1m]')).toBe(200_000);
  expect(prices.contextLimitOf('claude-opus-9')).toBeNull();
});

it("applies the operator's prices, and reports that they changed", () => {
  const overridden = new Prices([own]);
  expect(overridden.costOf('us.anthropic.claude-opus-5', { ...none, outputTokens: 1_000_000 })!.totalUsd).toBe(2);
  expect(overridden.models).toHaveLength(PRICE_LIST.length);
  expect(overridden.contextLimitOf('claude-opus-5')).toBe(50);
  expect(overridden.fingerprint).not.toBe(prices.fingerprint);
  expect(new Prices([own]).fingerprint).toBe(overridden.fingerprint);
});

it('sums the known costs and names models without a price', () => {
  const cost = prices.costOf('claude-opus-5', usage);
  expect(addCosts([])).toEqual(NO_COST);
  expect(addCosts([{ model: 'x', cost: null }])).toBeNull();
  expect(
    addCosts([
      { model: 'claude-opus-5', cost },
      { model: 'x', cost: null },
    ]),
  ).toEqual({ ...cost, unpricedModels: ['x'] });
});

it('has a list that the contract accepts, under the names it looks up', () => {
  for (const price of PRICE_LIST) {
    expect(ModelPrice.parse(price)).toEqual(price);
    expect(new Prices().costOf(price.model, usage)).not.toBeNull();
  }
});
