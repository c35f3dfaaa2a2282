import type { ModelPrice, PriceList } from '../../../contract/prices.ts';
import { PRICE_LIST_DATE, PRICE_LIST_SOURCE } from './price-list.ts';
import { readOverrides, writeOverrides } from './price-overrides.ts';
import { Prices } from './prices.ts';

/** The prices in effect, and the operator's file. */
export class PriceBook {
  readonly #path: string;
  readonly #onChange: ((prices: Prices) => void)[] = [];
  #overrides: ModelPrice[];
  #problem: string | null;
  #prices: Prices;

  constructor(path: string) {
    this.#path = path;
    ({ overrides: this.#overrides, problem: this.#problem } = readOverrides(path));
    this.#prices = new Prices(this.#overrides);
  }

  get prices(): Prices {
    return this.#prices;
  }

  /** For threads, which build their own `Prices` from them. */
  get overrides(): readonly ModelPrice[] {
    return this.#overrides;
  }

  list(): PriceList {
    return {
      date: PRICE_LIST_DATE,
      source: PRICE_LIST_SOURCE,
      models: [...this.#prices.models],
      overrides: [...this.#overrides],
      problem: this.#problem,
    };
  }

  setOverrides(overrides: ModelPrice[]): PriceList {
    writeOverrides(this.#path, overrides);
    this.#overrides = overrides;
    this.#problem = null;
    this.#prices = new Prices(overrides);
    for (const tell of this.#onChange) tell(this.#prices);
    return this.list();
  }

  onChange(tell: (prices: Prices) => void): void {
    this.#onChange.push(tell);
  }
}
