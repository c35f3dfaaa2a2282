import { expect, it } from 'vitest';
import { busiest, toWeek } from './week-hours.ts';

it('sums the days of a period into one week', () => {
  const week = toWeek([
    { day: '2026-11-16', hour: 9, messages: 2, tokens: 10 },
    { day: '2026-11-09', hour: 9, messages: 3, tokens: 20 },
    { day: '2026-11-15', hour: 23, messages: 4, tokens: 5 },
  ]);
  expect(week[0]?.[9]).toEqual({ messages: 5, tokens: 30 });
  expect(week[6]?.[23]).toEqual({ messages: 4, tokens: 5 });
  expect(busiest(week)).toEqual({ day: 0, hour: 9, messages: 5, tokens: 30 });
  expect(busiest(toWeek([]))).toBeUndefined();
});
