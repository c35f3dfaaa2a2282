import { isKnown, SOME_NUMBER } from '../marks.ts';

/** The operand of `-v` and `-R` is evaluated, and evaluation can run a command. */
const UNARY = /^-[abcdefghknoprsuwxzGLNOS]$/;
const COMPARES_TEXT = /^(=|==|!=|<|>|=~|-nt|-ot|-ef)$/;
/** zsh evaluates what it compares, and so does bash's `[[`. */
const COMPARES_NUMBERS = /^-(eq|ne|lt|le|gt|ge)$/;

/** Whether `[ … ]` has no side effects, whatever its unknown words turn out to be. Takes the words between the brackets. */
export function onlyLooks(words: string[]): boolean {
  const rest = words[0] === '!' ? words.slice(1) : words;
  const [first = '', second = '', third = ''] = rest;
  if (rest.length <= 1) return true;
  if (rest.length === 2) return UNARY.test(first);
  if (rest.length !== 3 || !isKnown(second)) return false;
  return COMPARES_TEXT.test(second) || (COMPARES_NUMBERS.test(second) && isNumber(first) && isNumber(third));
}

function isNumber(word: string): boolean {
  return word === SOME_NUMBER || /^-?\d+$/.test(word);
}
