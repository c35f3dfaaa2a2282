import { expect, test } from 'vitest';
import { isCut } from './is-cut.ts';

test('knows what the daemon has cut, wherever it is', () => {
  expect(isCut({ command: 'xxxxx… [+20 chars]' })).toBe(true);
  expect(isCut({ edits: [{ old_string: 'a' }, '… [+3 items]'] })).toBe(true);
  expect(isCut({ a: { b: '…' } })).toBe(true);
  expect(isCut({ command: 'ls', n: null, edits: [1, 2], text: 'and so on…' })).toBe(false);
});
