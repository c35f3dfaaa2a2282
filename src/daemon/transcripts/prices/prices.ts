import type { ModelPrice, Rates } from '../../../contract/prices.ts';
import type { Cost, Tokens } from '../../../contract/usage.ts';
import { fingerprint } from '../fingerprint.ts';
import { isSynthetic, normalizeModel } from './model-name.ts';
import { PRICE_LIST, US_ONLY_FACTOR, WEB_SEARCH_USD } from './price-list.ts';

/** What one request used, and what else its price depends on. */
export interface BilledUsage extends Tokens {
  /** When it was made. Default: today's price. */
  at?: number | null;
  /** `usage.speed: "fast"` */
  fast?: boolean;
  /** `usage.service_tier: "batch"` */
  batch?: boolean;
  /** `usage.inference_geo: "us"` */
  usOnly?: boolean;
  /** `usage.server_tool_use.web_search_requests` */
  webSearches?: number;
}

/** Where long requests begin, for the models that charge them at other rates. */
const LONG_INPUTS = [100_000, 200_000];

export const NO_COST: Readonly<Cost> = Object.freeze({
  totalUsd: 0,
  inputCostUsd: 0,
  outputCostUsd: 0,
  cacheReadCostUsd: 0,
  cacheCreationCostUsd: 0,
  unpricedModels: [],
});

/** The prices in effect: the built-in ones with the operator's overrides. Immutable and built from plain data, so a thread can build its own. */
export class Prices {
  readonly models: readonly ModelPrice[];
  /** Identifies these prices: costs stored under another fingerprint have to be recomputed. */
  readonly fingerprint: string;
  readonly #byName: ReadonlyMap<string, ModelPrice>;
  /** Models with the operator's prices. */
  readonly #own: ReadonlySet<string>;
  readonly #known = new Map<string, ModelPrice | undefined>();
  readonly #earlier: ReadonlyMap<ModelPrice, { untilMs: number; price: DatedPrice }[]>;

  constructor(overrides: readonly ModelPrice[] = []) {
    const byName = new Map(PRICE_LIST.map((price) => [price.model, price]));
    for (const override of overrides) byName.set(normalizeModel(override.model), override);
    this.#byName = byName;
    this.#own = new Set(overrides.map(({ model }) => normalizeModel(model)));
    this.models = [...byName.values()];
    this.#earlier = new Map(
      this.models.flatMap((price) =>
        price.earlier ? [[price, price.earlier.map((one) => ({ untilMs: Date.parse(one.until), price: one }))]] : [],
      ),
    );
    this.fingerprint = fingerprint(Buffer.from(JSON.stringify(this.models)));
  }

  /** Models, by their canonical names, whose price changed. */
  changedSince(before: Prices): Set<string> {
    const names = new Set([...this.#byName.keys(), ...before.#byName.keys()]);
    const priceOf = (prices: Prices, name: string) => JSON.stringify(prices.#byName.get(name));
    return new Set([...names].filter((name) => priceOf(this, name) !== priceOf(before, name)));
  }

  /** null: no price is known for this model. It isn't free, it is unknown. */
  costOf(model: string, usage: BilledUsage): Cost | null {
    if (isSynthetic(model)) return { ...NO_COST, unpricedModels: [] };
    const price = this.#priceOf(model);
    if (!price) return null;
    return charge(usage, ratesFor(this.#priceOn(price, usage.at), usage), factorFor(price, usage));
  }

  /**
   * For the sum of requests made within a period, in the same mode, each with more input than `inputAbove` and none with more than the next of
   * `LONG_INPUTS`. Undefined: the price depends on more than that.
   */
  costOfAlike(
    model: string,
    usage: BilledUsage & { at: number; until: number; inputAbove: number },
  ): Cost | null | undefined {
    const found = this.#priceOf(model);
    if (!found) return null;
    const price = this.#priceOn(found, usage.at);
    const { longContext } = price;
    if (price !== this.#priceOn(found, usage.until - 1)) return undefined;
    if (longContext && !LONG_INPUTS.includes(longContext.aboveTokens)) return undefined;
    const isLong = longContext && usage.inputAbove >= longContext.aboveTokens;
    return charge(usage, isLong ? longContext : price, factorFor(found, usage));
  }

  /**
   * For requests of which only the sum is known. The sum doesn't say whether some were long or in fast mode, so the client's own cost
   * decides where it falls between the minimum and maximum the sum can cost.
   */
  costOfSum(model: string, usage: Tokens & { webSearches: number; at: number }, clientUsd: number): Cost | null {
    const found = this.#priceOf(model);
    if (!found) return null;
    const price = this.#priceOn(found, usage.at);
    const least = charge(usage, price, 1);
    // the client doesn't know the operator's prices
    if (this.#own.has(normalizeModel(model))) return least;
    const most = charge(usage, price.longContext ?? price, found.fastFactor ?? 1);
    const searches = usage.webSearches * WEB_SEARCH_USD;
    const tokensUsd = least.totalUsd - searches;
    if (tokensUsd <= 0) return least;
    const factor = (Math.min(Math.max(clientUsd, least.totalUsd), most.totalUsd) - searches) / tokensUsd;
    return charge(usage, price, factor);
  }

  /**
   * The context window. Transcripts leave `[1m]` out of the model's name, so a context fuller than the short window means the long one is
   * in use. null: an unknown model.
   */
  contextLimitOf(model: string, { usedTokens = 0 } = {}): number | null {
    const price = this.#priceOf(model);
    if (!price) return null;
    const { contextWindow, longContextWindow = contextWindow } = price;
    return /\[1m\]$/i.test(model.trim()) || usedTokens > contextWindow ? longContextWindow : contextWindow;
  }

  /** As of the request's day. */
  #priceOn(price: ModelPrice, at: number | null | undefined): DatedPrice {
    if (!price.earlier || at === null || at === undefined) return price;
    return this.#earlier.get(price)?.find(({ untilMs }) => at < untilMs)?.price ?? price;
  }

  #priceOf(model: string): ModelPrice | undefined {
    // a name is looked up for every message of every transcript
    if (this.#known.has(model)) return this.#known.get(model);
    const price = this.#byName.get(normalizeModel(model));
    if (this.#known.size < 10_000) this.#known.set(model, price);
    return price;
  }
}

function charge(usage: Tokens & { webSearches?: number }, rates: Rates, times: number): Cost {
  const factor = times / 1_000_000;
  const { cacheCreationTokens, cacheCreation1hTokens } = usage;
  // the client's own reading: the 1-hour part never exceeds the total cache write
  const oneHour = Math.min(Math.max(cacheCreation1hTokens, 0), cacheCreationTokens);
  const inputCostUsd = usage.inputTokens * rates.input * factor;
  const outputCostUsd = usage.outputTokens * rates.output * factor;
  const cacheReadCostUsd = usage.cacheReadTokens * rates.cacheRead * factor;
  const cacheCreationCostUsd =
    (oneHour * rates.cacheWrite1h + (cacheCreationTokens - oneHour) * rates.cacheWrite5m) * factor;
  const searches = (usage.webSearches ?? 0) * WEB_SEARCH_USD;
  return {
    totalUsd: inputCostUsd + outputCostUsd + cacheReadCostUsd + cacheCreationCostUsd + searches,
    inputCostUsd,
    outputCostUsd,
    cacheReadCostUsd,
    cacheCreationCostUsd,
    unpricedModels: [],
  };
}

type DatedPrice = Rates & Pick<ModelPrice, 'longContext'>;

/** The whole request is charged at the long rates once its input is long. */
function ratesFor(price: DatedPrice, { inputTokens, cacheReadTokens, cacheCreationTokens }: Tokens): Rates {
  const { longContext } = price;
  if (!longContext) return price;
  return inputTokens + cacheReadTokens + cacheCreationTokens > longContext.aboveTokens ? longContext : price;
}

function factorFor(price: ModelPrice, { fast, batch, usOnly }: BilledUsage): number {
  return (fast ? (price.fastFactor ?? 1) : 1) * (batch ? price.batchFactor : 1) * (usOnly ? US_ONLY_FACTOR : 1);
}

/** Adds costs. null only if there was usage and none of it has a price. */
export function addCosts(costs: Iterable<{ model: string; cost: Cost | null }>): Cost | null {
  const sum = { ...NO_COST };
  const unpriced = new Set<string>();
  let isPriced = false;
  for (const { model, cost } of costs) {
    if (!cost) {
      unpriced.add(model);
      continue;
    }
    isPriced = true;
    sum.totalUsd += cost.totalUsd;
    sum.inputCostUsd += cost.inputCostUsd;
    sum.outputCostUsd += cost.outputCostUsd;
    sum.cacheReadCostUsd += cost.cacheReadCostUsd;
    sum.cacheCreationCostUsd += cost.cacheCreationCostUsd;
    for (const name of cost.unpricedModels) unpriced.add(name);
  }
  if (!isPriced && unpriced.size > 0) return null;
  return { ...sum, unpricedModels: [...unpriced].sort() };
}
