import { expect, test } from 'vitest';
import { hiddenCharacter, revealHidden, splitHidden, stripHidden } from './hidden-characters.ts';

test('spells out invisible characters and leaves the rest unchanged', () => {
  expect(splitHidden('ls\t-la\n# é 漢 👍')).toEqual([{ text: 'ls\t-la\n# é 漢 👍', hidden: false }]);
  expect(splitHidden('rm \u202eexe.txt\u200b')).toEqual([
    { text: 'rm ', hidden: false },
    { text: 'U+202E', hidden: true },
    { text: 'exe.txt', hidden: false },
    { text: 'U+200B', hidden: true },
  ]);
});

test.each(['\u00a0', '\u2003', '\u3000', '\u2800', '\u00ad', '\u3164', '\ud800', '\u001b', '\r'])(
  'names %o, which looks blank or invisible',
  (character) => {
    expect(hiddenCharacter(`ls${character}-la`)).toBe(
      `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`,
    );
  },
);

test('finds none in plain text', () => {
  expect([hiddenCharacter('git push origin main'), hiddenCharacter('écho 漢')]).toEqual([undefined, undefined]);
});

test('reveals hidden characters in text that a person decides by, and strips them from text that is only read', () => {
  const text = 'ls\u00a0-la\u202e\u200b\nécho';
  expect(revealHidden(text)).toBe('ls<U+00A0>-la<U+202E><U+200B>\nécho');
  expect(stripHidden(text)).toBe('ls -la\nécho');
});
