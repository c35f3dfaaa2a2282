import { expect, test } from 'vitest';
import { revealHidden } from './hidden-characters.ts';

test('spells out what would not be seen, and leaves the rest as it is', () => {
  expect(revealHidden('ls\t-la\n# é 漢 👍')).toEqual([{ text: 'ls\t-la\n# é 漢 👍', hidden: false }]);
  expect(revealHidden('rm \u202eexe.txt\u200b')).toEqual([
    { text: 'rm ', hidden: false },
    { text: 'U+202E', hidden: true },
    { text: 'exe.txt', hidden: false },
    { text: 'U+200B', hidden: true },
  ]);
});
