import { expect, test } from 'vitest';
import { createPositions, FRESH_MS, type Place } from './track-positions.ts';

const at = (y: number, contentY = y): Place => ({ x: 0, y, contentY });

test('a request that just appeared or moved is fresh for a moment', () => {
  const places = createPositions();
  places.update(new Map([['a', at(100)]]), 0);
  expect([places.isFresh('a', 10), places.isFresh('a', FRESH_MS), places.isFresh('unknown', 0)]).toEqual([
    true,
    false,
    true,
  ]);
  places.update(new Map([['a', at(100)]]), 5_000);
  expect(places.isFresh('a', 5_000)).toBe(false);
  places.update(new Map([['a', at(20)]]), 6_000);
  expect([places.isFresh('a', 6_100), places.nextChange(6_100)]).toEqual([true, FRESH_MS - 100]);
});

test('scrolling is not movement, nor is a change above that the scroll position offsets', () => {
  const places = createPositions();
  places.update(new Map([['a', at(100, 100)]]), 0);
  places.update(new Map([['a', at(20, 100)]]), 5_000);
  places.update(new Map([['a', at(20, 180)]]), 6_000);
  expect([places.isFresh('a', 6_000), places.nextChange(6_000)]).toEqual([false, null]);
});
