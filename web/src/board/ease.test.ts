import { expect, it } from 'vitest';
import { ease } from './ease.ts';

const list = (text: string) => [...text];
const eased = (to: string, from: string, sooner?: string) => {
  const { ids, more } = ease(list(to), list(from), sooner);
  return ids.join('') + (more ? '…' : '');
};

it('shows a few of a first list, then another with each frame', () => {
  expect(eased('abcdefg', '')).toBe('abcd…');
  expect(eased('abcdefg', 'abcd')).toBe('abcde…');
  expect(eased('abcdefg', 'abcdef')).toBe('abcdefg');
});

it('lets all go and move at once', () => {
  expect(eased('dca', 'abcd')).toBe('dca');
  expect(eased('', 'abcd')).toBe('');
});

it('brings those that come in their places, and the one that has the focus with the first', () => {
  expect(eased('xaybz', 'ab')).toBe('xab…');
  expect(eased('xaybzw', 'ab', 'w')).toBe('xabw…');
});

it('gives the same list back when nothing is left out', () => {
  const ids = list('ab');
  expect(ease(ids, list('a'), undefined).ids).toBe(ids);
});
