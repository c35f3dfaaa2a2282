import { expect, test } from 'vitest';
import { type DiffLine, pairLines } from './pair-lines.ts';

const line = (sign: string): DiffLine => ({
  kind: sign[0] === '+' ? 'added' : sign[0] === '-' ? 'removed' : 'same',
  oldLine: null,
  newLine: null,
  text: sign.slice(1),
});
const pair = (...signs: string[]) =>
  pairLines(signs.map(line)).map((one) => [one.old?.text ?? null, one.new?.text ?? null]);

test('pairs removed lines with the added ones that replace them', () => {
  expect(pair(' a', '-b', '-c', '+d', ' e')).toEqual([
    ['a', 'a'],
    ['b', 'd'],
    ['c', null],
    ['e', 'e'],
  ]);
  expect(pair('+a', '+b')).toEqual([
    [null, 'a'],
    [null, 'b'],
  ]);
  expect(pair('-a', '+b', '-c', '+d')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
});
