import { expect, it } from 'vitest';
import { alignFigures, moreHint, showCost, showDuration, showShare } from './format.ts';

const cost = (totalUsd: number, unpricedModels: string[] = []) => ({
  totalUsd,
  inputCostUsd: 0,
  outputCostUsd: 0,
  cacheReadCostUsd: 0,
  cacheCreationCostUsd: 0,
  unpricedModels,
});

it('shows the known cost, and that part of it is unknown', () => {
  expect([showCost(cost(12.345)), showCost(cost(0.001)), showCost(cost(0))]).toEqual(['$12.35', '<$0.01', '$0.00']);
  expect([showCost(cost(1, ['x'])), showCost(null)]).toEqual(['$1.00+', 'unknown']);
});

it('formats percentages and times', () => {
  expect([showShare(0.876), showShare(null)]).toEqual(['88%', '–']);
  expect([undefined, 5, 1500, 65_000, 7_500_000].map(showDuration)).toEqual(['–', '5ms', '2s', '1m 5s', '2h 5m']);
});

it('suggests no limit that would be refused', () => {
  expect(moreHint(10, 100)).toBe('Narrow the query, or use --limit 50.');
  expect(moreHint(50, 100)).toBe('Narrow the query, or use --limit 100.');
  expect(moreHint(100, 100)).toBe('Narrow the query.');
});

it('right-aligns numbers in columns', () => {
  expect(
    alignFigures([
      ['Day', 'Cost'],
      ['2026-11-16', '$1'],
    ]),
  ).toEqual([
    ['Day', 'Cost'],
    ['2026-11-16', '  $1'],
  ]);
});
