/** Text without distinctions that search ignores: case, accents, variant forms of a letter. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\x00-\x7f]*$/;
/** Accents, Hebrew and Arabic vowels, emoji variation selectors. */
const DROPPED =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: single signs, dropped one by one
  /[\u0300-\u036f\u0591-\u05BD\u05BF-\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06ED\u200B-\u200D\uFE00-\uFE0F\u{1F3FB}-\u{1F3FF}\u00AD\u0640]/gu;
const LETTERS = /[đłøßæœıðþħŧ]/g;
/** Letters that no normal form decomposes. */
export const LETTER_FOLDS: Readonly<Record<string, string>> = {
  đ: 'd',
  ł: 'l',
  ø: 'o',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
};

export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(DROPPED, '')
    .toLowerCase()
    .replace(LETTERS, (letter) => LETTER_FOLDS[letter] ?? letter);
}

export interface FoldedText {
  text: string;
  /** Where a position is in the original. */
  originalAt(place: number): number;
}

/** With a map back. For excerpts: tracking every position of a long text is slow. */
export function foldWithPlaces(text: string): FoldedText {
  if (ASCII.test(text)) return { text: text.toLowerCase(), originalAt: (place) => place };
  const places: number[] = [];
  let folded = '';
  let at = 0;
  for (const sign of text) {
    const one = foldText(sign);
    for (let unit = 0; unit < one.length; unit++) places.push(at);
    folded += one;
    at += sign.length;
  }
  places.push(at);
  return { text: folded, originalAt: (place) => places[place] ?? text.length };
}
