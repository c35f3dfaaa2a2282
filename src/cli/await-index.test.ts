import { expect, it } from 'vitest';
import { drawProgress } from './await-index.ts';

it('draws the progress of the index', () => {
  const files = { total: 800, done: 200 };
  expect(drawProgress({ phase: 'finding', files, bytes: { total: 0, done: 0 } })).toBe('Looking for transcripts…');
  expect(drawProgress({ phase: 'totals', files, bytes: { total: 1000, done: 250 } })).toBe(
    'Counting tokens ██████░░░░░░░░░░░░░░░░░░ 25%  200 of 800 files',
  );
  expect(drawProgress({ phase: 'text', files, bytes: { total: 10, done: 11 } })).toContain('100%');
});
