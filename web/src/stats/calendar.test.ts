import { expect, it } from 'vitest';
import { busiestDay, monthStarts, toCalendar } from './calendar.ts';

const hours = [
  { day: '2026-10-30', hour: 9, messages: 2, tokens: 10 },
  { day: '2026-10-30', hour: 17, messages: 3, tokens: 20 },
  { day: '2026-11-02', hour: 23, messages: 4, tokens: 5 },
];

it('has a cell for every day in the range, in weeks from Monday', () => {
  // a Thursday to a Tuesday
  const weeks = toCalendar(hours, { first: '2026-10-29', last: '2026-11-03' });
  expect(weeks.map(({ monday }) => monday)).toEqual(['2026-10-26', '2026-11-02']);
  expect(weeks[0]?.days.map((day) => day?.messages ?? null)).toEqual([null, null, null, 0, 5, 0, 0]);
  expect(weeks[1]?.days.map((day) => day?.messages ?? null)).toEqual([4, 0, null, null, null, null, null]);
  expect(busiestDay(weeks)).toEqual({ day: '2026-10-30', messages: 5, tokens: 30 });
  expect([...monthStarts(weeks)]).toEqual([
    ['2026-10-26', '2026-10'],
    ['2026-11-02', '2026-11'],
  ]);
});

it('is one week for a single day without activity', () => {
  const weeks = toCalendar([], { first: '2026-11-16', last: '2026-11-16' });
  expect(weeks).toHaveLength(1);
  expect(busiestDay(weeks)).toBeUndefined();
});

it('keeps the newest weeks of a range that is too long', () => {
  const weeks = toCalendar(hours, { first: '1990-01-01', last: '2026-11-03' });
  expect(weeks.length).toBeLessThan(250);
  expect(weeks.at(-1)?.monday).toBe('2026-11-02');
});
