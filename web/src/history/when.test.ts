import { expect, it } from 'vitest';
import { formatExactly, formatWhen } from './when.ts';

const now = new Date(2026, 10, 16, 12, 0).getTime();
const at = (...parts: [number, number, number, number, number]) => formatWhen(new Date(...parts).getTime(), now);

it('is shorter the longer ago it was', () => {
  expect(at(2026, 10, 16, 9, 5)).toBe('09:05');
  expect(at(2026, 10, 14, 9, 5)).toBe('Sat 14 Nov, 09:05');
  expect(at(2026, 2, 1, 9, 5)).toBe('Sun 1 Mar');
  expect(at(2025, 2, 1, 9, 5)).toBe('1 Mar 2025');
  expect(formatExactly(now)).toContain('16 November 2026');
});
