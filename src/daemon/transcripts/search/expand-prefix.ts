import type { Sqlite } from '../../journal/sqlite.ts';
import { foldText } from './fold-text.ts';

/** So many words are looked for one by one. The index merges the rows of all that begin alike before it gives the first, and once for each question. */
const MAX_WORDS = 300;
const LAST_WORD = /[\p{L}\p{N}\p{Co}\p{M}]+$/u;

/** Of a beginning that more words have, these stand for all of them. */
const SOME_WORDS = 40;

export interface PrefixWords {
  /** Phrases whose last word begins like the one given, as the index knows them. Undefined: too many. */
  all(phrase: string): string[] | undefined;
  /** All of them, or where they are too many the first ones: the word itself, if it is one, and some that go on. */
  some(phrase: string): string[];
}

/** For one question: the index counts the rows of each word before it names it, so they are asked for once. */
export function prefixWords(db: Sqlite): PrefixWords {
  const known = new Map<string, string[]>();
  const find = (phrase: string): string[] => {
    const phrases = known.get(phrase) ?? phrasesOf(db, phrase);
    known.set(phrase, phrases);
    return phrases;
  };
  return {
    all(phrase) {
      const phrases = find(phrase);
      return phrases.length > MAX_WORDS ? undefined : phrases;
    },
    some(phrase) {
      const phrases = find(phrase);
      return phrases.length > MAX_WORDS ? phrases.slice(0, SOME_WORDS) : phrases;
    },
  };
}

/** One more than are wanted, if there are more. */
function phrasesOf(db: Sqlite, phrase: string): string[] {
  const [written] = LAST_WORD.exec(phrase) ?? [];
  if (written === undefined) return [];
  const begin = phrase.slice(0, -written.length);
  const prefix = foldText(written);
  const words = db
    .prepare('SELECT term FROM vocabulary WHERE term >= ? AND term < ? LIMIT ?')
    .all(prefix, `${prefix}\u{10ffff}`, MAX_WORDS + 1) as { term: string }[];
  return words.map(({ term }) => begin + term);
}
