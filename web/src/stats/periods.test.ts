import { expect, it } from 'vitest';
import { fillPeriods, periodLabel, shortPeriodLabel } from './periods.ts';

it('leaves no period out, over the ends of months and years', () => {
  expect(fillPeriods('day', '2026-02-27', '2026-03-02')).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
  ]);
  expect(fillPeriods('week', '2026-W52', '2027-W02')).toEqual(['2026-W52', '2026-W53', '2027-W01', '2027-W02']);
  expect(fillPeriods('month', '2026-11', '2027-01')).toEqual(['2026-11', '2026-12', '2027-01']);
  expect(fillPeriods('day', '2026-03-02', '2026-03-01')).toEqual([]);
});

it('names them', () => {
  expect(periodLabel('day', '2026-11-16')).toBe('Mon 16 Nov');
  expect(periodLabel('week', '2026-W47')).toBe('Week 47, from 16 Nov');
  expect(periodLabel('month', '2026-11')).toBe('November 2026');
  expect([shortPeriodLabel('day', '2026-11-16'), shortPeriodLabel('week', '2026-W07')]).toEqual(['16 Nov', 'W7']);
  expect(shortPeriodLabel('month', '2026-11')).toBe('Nov 26');
});
