import type { Inherited } from '../../../contract/usage.ts';
import type { Prices } from '../prices/prices.ts';
import type { CostState } from './cost-state.ts';
import { totalUsage } from './session-usage.ts';
import { isNothing, tokensOfTotals } from './totals.ts';

/**
 * What a session was forked with. The client's own sum says more than the copied messages: a compacted session has few of those, and none
 * of them covers the compaction.
 */
export function inheritedFrom(base: CostState, prices: Prices): Inherited | null {
  const models = Object.entries(base.models)
    .filter(([, totals]) => !isNothing(totals))
    .map(([model, { usd, ...totals }]) => {
      const tokens = tokensOfTotals(totals);
      const used = { ...tokens, webSearches: totals.webSearches, at: base.at ?? base.startTime };
      return { model, tokens, cost: prices.costOfSum(model, used, usd) };
    });
  return models.length > 0 ? { ...totalUsage(models), from: base.sessionId } : null;
}
