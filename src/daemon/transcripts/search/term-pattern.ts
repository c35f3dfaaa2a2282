import { foldText } from './fold-text.ts';
import { UNSPACED } from './index-text.ts';
import type { Term } from './search-query.ts';

/** Folding decomposes hangul. */
const ANYWHERE = `[${UNSPACED}\\u1100-\\u11FF]`;
const LETTER = `[[\\p{L}\\p{N}]--${ANYWHERE}]`;
const BETWEEN = '[^\\p{L}\\p{N}]{0,20}';
/** A sign is never in the middle of a word. */
const BEGINS_WITHIN = new RegExp(`^(?:${ANYWHERE}|[^\\p{L}\\p{N}])`, 'v');
const ENDS_WITHIN = new RegExp(`(?:${ANYWHERE}\\p{M}*|[+#])$`, 'v');
/** Words, signs of scripts without spaces, emoji. */
const ATOMS = new RegExp(
  `(?:${ANYWHERE}\\p{M}*)+|(?:${LETTER}|\\p{M}|\\p{Co})+|[\\p{So}\\p{Sm}\\p{Extended_Pictographic}]`,
  'gv',
);

/** Finds a term in folded text, the way the index does. */
export function termPattern({ written, literal, isPrefix, mayGoOn }: Term): RegExp {
  const folded = foldText(written);
  const middle = literal === null ? (folded.match(ATOMS) ?? []).map(escaped).join(BETWEEN) : escaped(literal);
  const before = folded.startsWith('-') ? `(?<!${LETTER}|-)` : BEGINS_WITHIN.test(folded) ? '' : `(?<!${LETTER})`;
  const after = ENDS_WITHIN.test(folded) ? '' : isPrefix || mayGoOn ? `(?:${LETTER}|\\p{M})*` : `(?!${LETTER})`;
  return new RegExp(`${before}${middle}${after}`, 'gv');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
