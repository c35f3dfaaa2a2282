import { expect, it } from 'vitest';
import { paceChanges } from './pace-changes.ts';

const list = (text: string) => [...text];
const eased = (
  to: string,
  from: string,
  { sooner, room = 1, column = to }: { sooner?: string; room?: number; column?: string } = {},
) => {
  const { ids, more } = paceChanges(list(to), { shown: list(from), column: list(column), room, sooner });
  return ids.join('') + (more ? '…' : '');
};

it('shows a few of a first list, then another with each frame', () => {
  expect(eased('abcdefg', '', { room: 4 })).toBe('abcd…');
  expect(eased('abcdefg', 'abcd')).toBe('abcde…');
  expect(eased('abcdefg', 'abcd', { room: 0 })).toBe('abcd…');
  expect(eased('abcdefg', 'abcdef')).toBe('abcdefg');
});

it('removes and moves cards immediately', () => {
  expect(eased('dca', 'abcd')).toBe('dca');
  expect(eased('', 'abcd')).toBe('');
  expect(eased('xyz', 'abc', { column: 'xyzb' })).toBe('xb…');
});

it('keeps a card that only fell behind until another takes its place', () => {
  const column = 'xyzabc';
  expect(eased('xyz', 'abc', { column })).toBe('xab…');
  expect(eased('xyz', 'xab', { column })).toBe('xya…');
  expect(eased('xyz', 'xya', { column })).toBe('xyz');
});

it('inserts new cards in their places, starting with the focused one', () => {
  expect(eased('xaybz', 'ab')).toBe('xab…');
  expect(eased('xaybzw', 'ab', { sooner: 'w' })).toBe('xabw…');
});

it('returns the same list when nothing is left out', () => {
  const ids = list('ab');
  expect(paceChanges(ids, { shown: ['a'], column: ids, room: 1, sooner: undefined }).ids).toBe(ids);
});
