import { expect, test } from 'vitest';
import { makePatch } from './make-patch.ts';

test('shows what changed, with three lines of context', () => {
  const before = ['a', 'b', 'c', 'd', 'old', 'e', 'f', 'g', 'h'].join('\n');
  const after = ['a', 'b', 'c', 'd', 'new', 'newer', 'e', 'f', 'g', 'h'].join('\n');
  expect(makePatch(before, after, { startLine: 10 })).toEqual([
    {
      oldStart: 11,
      oldLines: 7,
      newStart: 11,
      newLines: 8,
      lines: [' b', ' c', ' d', '-old', '+new', '+newer', ' e', ' f', ' g'],
    },
  ]);
});

test('new text is all added, identical text is no change', () => {
  expect(makePatch('', 'one\ntwo\n')).toEqual([
    { oldStart: 1, oldLines: 0, newStart: 1, newLines: 2, lines: ['+one', '+two'] },
  ]);
  expect(makePatch('same', 'same')).toEqual([]);
});
