import { expect, test } from 'vitest';
import { uncountedText } from './uncounted-text.ts';

test('names the requests that the cost leaves out', () => {
  expect(uncountedText({ compactions: 1, webSearches: 0 }, { hasEnded: false })).toBe(
    'Excludes 1 compaction: Claude Code reports the cost when the session ends.',
  );
  expect(uncountedText({ compactions: 2, webSearches: 3 }, { hasEnded: true })).toBe(
    "Excludes 2 compactions and 3 web searches: Claude Code didn't report the cost.",
  );
});
