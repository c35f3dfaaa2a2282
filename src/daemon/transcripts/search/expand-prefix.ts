import type { Sqlite } from '../../journal/sqlite.ts';
import { foldText } from './fold-text.ts';

/** How many words are searched one by one. The index merges all rows with a common prefix before it returns the first, and once per query. */
const MAX_WORDS = 300;
const LAST_WORD = /[\p{L}\p{N}\p{Co}\p{M}]+$/u;

/** For a prefix with more words, these stand for all of them. */
const SOME_WORDS = 40;

export interface PrefixWords {
  /** Phrases whose last word starts with the given one, as the index knows them. undefined: too many. */
  all(phrase: string): string[] | undefined;
  /** All of them, or if there are too many the first ones: the word itself, if it is one, and some longer ones. */
  some(phrase: string): string[];
}

/** For one query: the index counts each word's rows before naming it, so ask once. */
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

/** One more than wanted, if there are more. */
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
