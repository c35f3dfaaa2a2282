import { expect, it } from 'vitest';
import { formatDate, formatDay, formatFullDate, formatTime } from '../ui/dates.ts';
import { formatExactly, formatWhen } from './format-when.ts';

const now = new Date(2026, 10, 16, 12, 0).getTime();
const on = (...parts: [number, number, number, number, number]) => new Date(...parts).getTime();

it('gets shorter the longer ago it is', () => {
  const [today, thisWeek, thisYear, before] = [
    on(2026, 10, 16, 9, 5),
    on(2026, 10, 14, 9, 5),
    on(2026, 2, 1, 9, 5),
    on(2025, 2, 1, 9, 5),
  ];
  expect(formatWhen(today, now)).toBe(formatTime(today));
  expect(formatWhen(thisWeek, now)).toBe(`${formatDay(thisWeek)}, ${formatTime(thisWeek)}`);
  expect(formatWhen(thisYear, now)).toBe(formatDay(thisYear));
  expect(formatWhen(before, now)).toBe(formatDate(before));
  expect(formatExactly(now)).toBe(formatFullDate(now));
});
