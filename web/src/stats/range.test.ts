import { expect, it } from 'vitest';
import { customRange, parseRange } from './range.ts';

const now = new Date(2026, 10, 16, 12);

it('reads the filters from the address', () => {
  expect(parseRange('7d', now)).toEqual({ preset: '7d', range: { after: '2026-11-10' } });
  expect(parseRange('all', now)).toEqual({ preset: 'all', range: {} });
  expect(parseRange('2026-11-01..2026-11-05', now)).toEqual({
    preset: 'custom',
    range: { after: '2026-11-01', before: '2026-11-05' },
  });
  expect(parseRange('..2026-11-05', now)).toEqual({ preset: 'custom', range: { before: '2026-11-05' } });
  expect(parseRange('nonsense', now)).toEqual(parseRange(undefined, now));
  expect(customRange({ after: '2026-11-01' })).toBe('2026-11-01..');
});
