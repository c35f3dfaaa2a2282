import { expect, test } from 'vitest';
import { allowance, busy, hold, limited, release, retryDelay, STEADY, staggered } from './pace.ts';

const T = 1_700_000_000_000;

test('pauses everything at a usage limit until it resets, then ramps up', () => {
  const state = limited(STEADY, { until: T + 60_000, why: 'The 5-hour limit was reached', now: T });
  expect(allowance(state, 8, T + 59_999)).toEqual({
    allowed: 0,
    why: 'The 5-hour limit was reached',
    pause: { kind: 'limit', why: 'The 5-hour limit was reached', since: T, until: T + 60_000 },
  });
  const after = [0, 19_999, 20_000, 40_000, 60_000, 600_000].map((ms) => allowance(state, 8, T + 60_000 + ms).allowed);
  expect(after).toEqual([1, 1, 2, 4, 8, 8]);
  expect(allowance(state, 8, T + 60_000)).toMatchObject({ pause: null, why: expect.stringContaining('Ramping up') });
});

test('uses the latest of several reported resets, and caps an absurd one', () => {
  const first = limited(STEADY, { until: T + 60_000, why: 'x', now: T });
  const second = limited(first, { until: T + 30_000, why: 'x', now: T + 1000 });
  expect(second.limit).toMatchObject({ since: T, until: T + 60_000 });
  expect(limited(STEADY, { until: null, why: 'x', now: T }).limit?.until).toBe(T + 5 * 60_000);
  expect(limited(STEADY, { until: T * 1000, why: 'x', now: T }).limit?.until).toBe(T + 8 * 86_400_000);
  expect(limited(STEADY, { until: 5, why: 'x', now: T }).limit?.until).toBe(T);
});

test('halves the concurrency on overload, and recovers one by one', () => {
  const state = busy(STEADY, { active: 6, now: T });
  expect([0, 30_000, 60_000, 150_000].map((ms) => allowance(state, 6, T + ms).allowed)).toEqual([3, 4, 5, 6]);
  expect(allowance(busy(STEADY, { active: 1, now: T }), 6, T).allowed).toBe(1);
});

test('lets the operator pause and resume, even before a reset', () => {
  const paused = hold(limited(STEADY, { until: T + 60_000, why: 'x', now: T }), 'Ann', T);
  expect(allowance(paused, 4, T + 90_000)).toMatchObject({ allowed: 0, pause: { kind: 'operator', until: null } });
  expect(allowance(release(), 4, T)).toEqual({ allowed: 4, why: null, pause: null });
});

test('waits longer before each retry, never less than planned', () => {
  expect([0, 1, 2, 50].map((attempt) => retryDelay(attempt, () => 0))).toEqual([10_000, 20_000, 40_000, 600_000]);
  expect(retryDelay(0, () => 0.999)).toBeLessThanOrEqual(15_000);
  expect(staggered(T, 0, () => 0.5)).toBe(T);
  expect(staggered(T, 3, () => 0)).toBe(T + 30_000);
});
