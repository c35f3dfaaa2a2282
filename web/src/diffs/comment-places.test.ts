import { expect, test } from 'vitest';
import type { DiffComment } from '../../../src/contract/comments.ts';
import { keyOf, placeComments } from './comment-places.ts';
import type { DiffLine } from './pair-lines.ts';

const lines: DiffLine[] = [
  { kind: 'same', oldLine: 1, newLine: 1, text: 'a' },
  { kind: 'removed', oldLine: 2, newLine: null, text: 'b' },
  { kind: 'added', oldLine: null, newLine: 2, text: 'c' },
];
const comment = (side: 'old' | 'new', line: number, code: string) =>
  ({ id: `${side}${line}${code}`, side, line, code }) as DiffComment;

test('shows comments next to their lines, and outdated ones separately', () => {
  const here = [comment('old', 2, 'b'), comment('new', 2, 'c'), comment('new', 1, 'a')];
  const gone = [comment('new', 2, 'was'), comment('new', 9, 'x'), comment('old', 1, 'a')];
  const { byLine, stale } = placeComments([...here, ...gone], lines);
  expect([...byLine.keys()].sort()).toEqual(['new:1', 'new:2', 'old:2']);
  expect(stale).toEqual(gone);
  expect(keyOf(lines[1]!)).toEqual({ side: 'old', line: 2, code: 'b' });
});
