import { expect, it } from 'vitest';
import { rankEntries } from './rank-entries.ts';

const entries = (...words: string[]) => words.map((each) => ({ words: each }));
const names = (groups: ReturnType<typeof rankEntries<{ words: string }>>) =>
  groups.map(({ heading, entries: kept }) => [heading, kept.map(({ words }) => words)]);

const GROUPS = [
  { heading: 'Here', entries: [] },
  {
    heading: 'Sessions',
    entries: entries('Set the timer again, then idle', 'Fix the board', 'Statistics of the past'),
  },
  { heading: 'Pages', entries: entries('Go to Board', 'Go to Statistics') },
];

it('without a text everything stays in order, up to a limit per group', () => {
  expect(names(rankEntries(GROUPS, '  ', { max: 2 }))).toEqual([
    ['Sessions', ['Set the timer again, then idle', 'Fix the board']],
    ['Pages', ['Go to Board', 'Go to Statistics']],
  ]);
});

it('ranks word starts before scattered letters, and drops what does not match', () => {
  expect(names(rankEntries(GROUPS, 'stati', { max: 9 }))).toEqual([
    ['Sessions', ['Statistics of the past', 'Set the timer again, then idle']],
    ['Pages', ['Go to Statistics']],
  ]);
});

it('the group with the best entry comes first', () => {
  const strewn = [{ heading: 'Sessions', entries: entries('Set the timer again, then idle') }, ...GROUPS.slice(2)];
  expect(names(rankEntries(strewn, 'stati', { max: 9 }))).toEqual([
    ['Pages', ['Go to Statistics']],
    ['Sessions', ['Set the timer again, then idle']],
  ]);
});

it('returns nothing without a match', () => {
  expect(rankEntries(GROUPS, 'zzz', { max: 9 })).toEqual([]);
});
