import type { Cost } from '../../contract/usage.ts';
import type { RequestUsage } from './usage.ts';

export interface BudgetQuestion {
  spentUsd: number;
  limitUsd: number;
  /** What the next request is expected to cost. */
  nextUsd: number;
}

export interface BudgetOptions {
  limitUsd?: number;
  /** undefined: the model has no known price. */
  costOf: (model: string, usage: RequestUsage) => Cost | undefined;
  /** The new limit, or null to end the turn. */
  askForMore: (question: BudgetQuestion, signal: AbortSignal) => Promise<number | null>;
}

/** Counts what requests cost and says whether another one may be sent. */
export interface Spending {
  spend(model: string, usage: RequestUsage): Cost | undefined;
  /** False: the operator wants the turn to end here. */
  admits(signal: AbortSignal): Promise<boolean>;
}

/** Asks before the request that would overspend, not after it. Shared with subagents: they spend the same money. */
export class Budget implements Spending {
  readonly #options: BudgetOptions;
  #limitUsd: number;
  #spentUsd = 0;
  #lastUsd = 0;
  #asking: Promise<number | null> | null = null;

  constructor(options: BudgetOptions) {
    this.#options = options;
    this.#limitUsd = options.limitUsd ?? Number.POSITIVE_INFINITY;
  }

  get spentUsd(): number {
    return this.#spentUsd;
  }

  spend(model: string, usage: RequestUsage): Cost | undefined {
    const cost = this.#options.costOf(model, usage);
    if (!cost) return undefined;
    this.#spentUsd += cost.totalUsd;
    this.#lastUsd = cost.totalUsd;
    return cost;
  }

  async admits(signal: AbortSignal): Promise<boolean> {
    while (this.#spentUsd + this.#lastUsd > this.#limitUsd) {
      // subagents that reach the limit together cause one question
      this.#asking ??= this.#options
        .askForMore({ spentUsd: this.#spentUsd, limitUsd: this.#limitUsd, nextUsd: this.#lastUsd }, signal)
        .finally(() => {
          this.#asking = null;
        });
      const limit = await this.#asking;
      if (limit === null || limit <= this.#limitUsd) return false;
      this.#limitUsd = limit;
    }
    return true;
  }
}
