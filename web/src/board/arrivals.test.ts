import { expect, it } from 'vitest';
import { createArrivals } from './arrivals.ts';

function setUp() {
  let over: (() => void) | undefined;
  const arrivals = createArrivals((run) => {
    over = run;
  });
  return { arrivals, nextFrame: () => over?.() };
}

it('adds one card per frame, with columns taking turns', () => {
  const { arrivals, nextFrame } = setUp();
  expect([arrivals.mayCome('a'), arrivals.mayCome('a'), arrivals.mayCome('b')]).toEqual([true, false, false]);
  nextFrame();
  expect([arrivals.mayCome('b'), arrivals.mayCome('a')]).toEqual([false, true]);
  nextFrame();
  expect([arrivals.mayCome('a'), arrivals.mayCome('b')]).toEqual([false, true]);
});

it('does not wait for a column that no longer wants a turn', () => {
  const { arrivals, nextFrame } = setUp();
  arrivals.mayCome('a');
  arrivals.mayCome('b');
  nextFrame();
  arrivals.giveUp('b');
  expect(arrivals.mayCome('c')).toBe(true);
});
