import { expect, it } from 'vitest';
import { nextPlace } from './move-focus.ts';

const columns = [['a1', 'a2', 'a3'], ['b1']];

it.each([
  [null, 'down', 'a1'],
  [{ column: 0, index: 0 }, 'down', 'a2'],
  [{ column: 0, index: 2 }, 'down', undefined],
  [{ column: 0, index: 0 }, 'up', undefined],
  [{ column: 0, index: 2 }, 'right', 'b1'],
  [{ column: 1, index: 0 }, 'left', 'a1'],
  [{ column: 1, index: 0 }, 'right', undefined],
] as const)('from %o %s to %s', (from, direction, to) => {
  expect(nextPlace(columns, from, direction)).toBe(to);
});

it('goes nowhere on an empty board', () => {
  expect(nextPlace([], null, 'down')).toBeUndefined();
});
