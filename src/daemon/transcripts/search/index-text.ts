import { LETTER_FOLDS } from './fold-text.ts';

/**
 * Prepares text, and queries, for the full-text index. SQLite's tokenizer splits at everything that is neither letter nor number: it takes
 * a Japanese sentence for one word, cuts Thai and Hindi words at their vowel signs, and drops emoji. So scripts without spaces become
 * overlapping character pairs, signs of other scripts become private-use letters, and emoji become separate words. Plain ASCII, nearly all
 * there is, stays unchanged.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const NOT_ASCII = /[^\x00-\x7f]/;

/** Han, kana, bopomofo, hangul, Thai, Lao, Burmese, Khmer: written without spaces, or with endings attached to words. */
export const UNSPACED =
  '\\u2E80-\\u2FDF\\u3005-\\u3007\\u3021-\\u3029\\u3031-\\u3035\\u3038-\\u303C\\u3041-\\u3096\\u3099-\\u30FF\\u3105-\\u312F' +
  '\\u3131-\\u318E\\u31A0-\\u31BF\\u31F0-\\u31FF\\u3400-\\u4DBF\\u4E00-\\u9FFF\\uA960-\\uA97C\\uAC00-\\uD7FB\\uF900-\\uFAFF' +
  '\\u{20000}-\\u{3FFFF}\\u0E01-\\u0E3A\\u0E40-\\u0E4E\\u0E81-\\u0ECE\\u1000-\\u103F\\u1050-\\u109D\\u1780-\\u17D3';
/** Emoji, arrows, dingbats, but not box-drawing characters. */
const SYMBOL = '\\p{Extended_Pictographic}\\u{1F1E6}-\\u{1F1FF}\\u2190-\\u21FF\\u2600-\\u27BF\\u2B00-\\u2BFF';
/** Changes only how the preceding sign looks. */
// biome-ignore lint/suspicious/noMisleadingCharacterClass: single signs, dropped one by one
const MODIFIER = /[\u200B-\u200D\uFE00-\uFE0F\u{1F3FB}-\u{1F3FF}\u00AD\u0640]/gu;
/** Hebrew and Arabic vowels, which most people leave out. */
const POINTS = /[\u0591-\u05BD\u05BF-\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06ED]/g;
/** Combining signs that change a word. */
const SIGN = /[\u0900-\u1AFF]/;
const SPECIAL = new RegExp(`[${UNSPACED}]+|[${SYMBOL}]|\\p{M}|[${'đĐłŁøØßæÆœŒıðÐþÞħĦŧŦ'}]`, 'gu');
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');
const ONLY_SPACED = new RegExp(`^[^${UNSPACED}]*$`, 'u');

export function toIndexText(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  return normalized(text).replace(SPECIAL, (found) =>
    IS_UNSPACED.test(found) ? ` ${pairs(found, { isLast: false }).join(' ')} ` : letterFor(found),
  );
}

/** A query's words in sequence. `isPrefix`: the last may continue. */
export function toQueryText(text: string): { text: string; isPrefix: boolean } {
  if (!NOT_ASCII.test(text)) return { text, isPrefix: false };
  const prepared = normalized(text);
  let isPrefix = false;
  const replaced = prepared.replace(SPECIAL, (found, at: number) => {
    if (!IS_UNSPACED.test(found)) return letterFor(found);
    // a sentence may continue after it, and then no pair ends here
    const isLast = !/[\p{L}\p{N}]/u.test(prepared.slice(at + found.length));
    isPrefix ||= isLast && [...found].length === 1;
    return ` ${pairs(found, { isLast }).join(' ')} `;
  });
  return { text: replaced.replace(/\s+/g, ' ').trim(), isPrefix };
}

/** Its words may be anywhere within a sentence, not only at the start of a word. */
export function hasUnspaced(text: string): boolean {
  return NOT_ASCII.test(text) && !ONLY_SPACED.test(text);
}

function normalized(text: string): string {
  return text.normalize('NFKC').replace(MODIFIER, '').replace(POINTS, '');
}

/** 日本語: 日本 本語 語. The last one alone closes the run, so what follows can be told apart. */
function pairs(run: string, { isLast }: { isLast: boolean }): string[] {
  const signs = Array.from(run, (sign) => (/\p{M}/u.test(sign) ? letterFor(sign) : sign));
  if (signs.length === 1) return signs;
  const found = signs.slice(0, -1).map((sign, place) => sign + signs[place + 1]);
  return isLast ? found : [...found, signs.at(-1)!];
}

function letterFor(found: string): string {
  const folded = LETTER_FOLDS[found.toLowerCase()];
  if (folded !== undefined) return folded;
  const code = found.codePointAt(0)!;
  if (/\p{M}/u.test(found)) return SIGN.test(found) ? String.fromCodePoint(0xe000 + code - 0x900) : found;
  // a separate word, from the private use area beyond the letters
  return ` ${String.fromCodePoint(code > 0xffff ? 0xe0000 + code : 0xf0000 + code)} `;
}
