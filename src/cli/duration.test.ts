import { expect, test } from 'vitest';
import { readDuration, sayDuration } from './duration.ts';

test('parses durations', () => {
  expect(['90s', '30m', '2h', '1h30m', '1h0m5s'].map(readDuration)).toEqual([90, 1800, 7200, 5400, 3605]);
  for (const text of ['', '5', 'm', '5 m', '1.5h', '2d', '-5m', '5mx'])
    expect(() => readDuration(text)).toThrow("isn't a duration");
});

test('formats durations', () => {
  expect([0, 5, 90, 1800, 5400, 3605, 82_800].map(sayDuration)).toEqual([
    '0s',
    '5s',
    '1m 30s',
    '30m',
    '1h 30m',
    '1h 5s',
    '23h',
  ]);
});
