import { expect, test } from 'vitest';
import { hiddenCharacter, splitHidden } from './hidden-characters.ts';

test('spells out what a reader would not see, and leaves the rest as it is', () => {
  expect(splitHidden('ls\t-la\n# é 漢 👍')).toEqual([{ text: 'ls\t-la\n# é 漢 👍', hidden: false }]);
  expect(splitHidden('rm \u202eexe.txt\u200b')).toEqual([
    { text: 'rm ', hidden: false },
    { text: 'U+202E', hidden: true },
    { text: 'exe.txt', hidden: false },
    { text: 'U+200B', hidden: true },
  ]);
});

test.each(['\u00a0', '\u2003', '\u3000', '\u2800', '\u00ad', '\u3164', '\ud800', '\u001b', '\r'])(
  'names %o, which looks like a blank or like nothing',
  (character) => {
    expect(hiddenCharacter(`ls${character}-la`)).toBe(
      `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`,
    );
  },
);

test('finds none in plain text', () => {
  expect([hiddenCharacter('git push origin main'), hiddenCharacter('écho 漢')]).toEqual([undefined, undefined]);
});
