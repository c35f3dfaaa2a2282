import { expect, it } from 'vitest';
import { inNextRow, nextPlace } from './move-focus.ts';

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

it('does nothing on an empty board', () => {
  expect(nextPlace([], null, 'down')).toBeUndefined();
});

// three in the first row, two in the second
const boxes = [
  { left: 0, top: 0 },
  { left: 100, top: 0 },
  { left: 200, top: 0 },
  { left: 0, top: 80.4 },
  { left: 100, top: 80 },
];

it.each([
  [1, 'down', 4],
  [2, 'down', 4],
  [0, 'down', 3],
  [3, 'up', 0],
  [4, 'down', -1],
  [0, 'up', -1],
] as const)('from box %i %s to box %i', (from, direction, to) => {
  expect(inNextRow(boxes, from, direction)).toBe(to);
});
