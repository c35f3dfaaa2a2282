import type { StatsRow } from '../../../src/contract/stats.ts';
import { formatUsd } from '../ui/format.ts';

export function tokensOf({ tokens }: StatsRow): number {
  return tokens.inputTokens + tokens.outputTokens + tokens.cacheReadTokens + tokens.cacheCreationTokens;
}

/** A plus means there is more, from models without a price. */
export function costText({ cost }: Pick<StatsRow, 'cost'>): string {
  if (cost === null) return 'unknown';
  return formatUsd(cost.totalUsd) + (cost.unpricedModels.length > 0 ? '+' : '');
}

export function shareText(share: number | null): string {
  return share === null ? '–' : `${Math.round(share * 100)}%`;
}

/** Compaction, web search and other requests; part of the cost. */
export function otherText({ other }: Pick<StatsRow, 'other'>): string {
  return other === null ? '–' : costText(other);
}
