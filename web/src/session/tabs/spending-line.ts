import type { HistoryDetail } from '../../../../src/contract/history.ts';

export type SpendingPoint = HistoryDetail['spending'][number];

/** What is spent is added up over so long; a point says when that began. */
const SLOT_MS = 5 * 60_000;

/** From nothing at the beginning: flat while nothing was spent, and rising over the minutes in which it was. */
export function spendingLine(
  spending: readonly SpendingPoint[],
  { startedAt, lastActivityAt }: { startedAt: number | null; lastActivityAt: number },
): SpendingPoint[] {
  const [first] = spending;
  if (!first) return [];
  const start = Math.min(startedAt ?? first.at, first.at + SLOT_MS);
  const line: SpendingPoint[] = [{ at: start, totalUsd: 0, tokens: 0 }];
  for (const [index, point] of spending.entries()) {
    // several models in the same minutes
    if (point.at === spending[index + 1]?.at) continue;
    const before = line.at(-1)!;
    const from = Math.max(point.at, before.at);
    if (from > before.at) line.push({ ...before, at: from });
    line.push({ ...point, at: Math.max(from, Math.min(point.at + SLOT_MS, lastActivityAt)) });
  }
  return line;
}
