import { expect, test } from 'vitest';
import { isTruncated } from './is-truncated.ts';

test('recognizes text the daemon truncated, wherever it is', () => {
  expect(isTruncated({ command: 'xxxxx… [+20 chars]' })).toBe(true);
  expect(isTruncated({ edits: [{ old_string: 'a' }, '… [+3 items]'] })).toBe(true);
  expect(isTruncated({ a: { b: '…' } })).toBe(true);
  expect(isTruncated({ command: 'ls', n: null, edits: [1, 2], text: 'and so on…' })).toBe(false);
});
