import { expect, it } from 'vitest';
import { fillPeriods, periodLabel, shortPeriodLabel } from './periods.ts';

it('includes every period, across months and years', () => {
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

it("names periods in the locale's format", () => {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' }).format(Date.parse('2026-11-16T12:00:00Z'));
  const short = format({ day: 'numeric', month: 'short' });
  expect(periodLabel('day', '2026-11-16')).toBe(format({ weekday: 'short', day: 'numeric', month: 'short' }));
  expect(periodLabel('week', '2026-W47')).toBe(`Week 47, from ${short}`);
  expect(periodLabel('month', '2026-11')).toBe(format({ month: 'long', year: 'numeric' }));
  expect([shortPeriodLabel('day', '2026-11-16'), shortPeriodLabel('week', '2026-W07')]).toEqual([short, 'W7']);
  expect(shortPeriodLabel('month', '2026-11')).toBe(format({ month: 'short', year: '2-digit' }));
});
