import type { HistoryDetail } from '../../../../src/contract/history.ts';

export type SpendingPoint = HistoryDetail['spending'][number];

/** Spending is summed over this long; a point marks the start. */
const SLOT_MS = 5 * 60_000;

/** Starts at zero, flat while nothing is spent and rising over the minutes with spending. */
export function spendingLine(
  spending: readonly SpendingPoint[],
  { startedAt, lastActivityAt }: { startedAt: number | null; lastActivityAt: number },
): SpendingPoint[] {
  const [first] = spending;
  if (!first) return [];
  const start = Math.min(startedAt ?? first.at, first.at + SLOT_MS);
  const line: SpendingPoint[] = [{ at: start, totalUsd: 0, tokens: 0 }];
  for (const [index, point] of spending.entries()) {
    // Several models in the same minutes.
    if (point.at === spending[index + 1]?.at) continue;
    const before = line.at(-1)!;
    const from = Math.max(point.at, before.at);
    if (from > before.at) line.push({ ...before, at: from });
    line.push({ ...point, at: Math.max(from, Math.min(point.at + SLOT_MS, lastActivityAt)) });
  }
  return line;
}
