import type { Sqlite } from '../../journal/sqlite.ts';
import { foldText } from './fold-text.ts';

/** So many words are looked for one by one. The index merges the rows of all that begin alike before it gives the first, and once for each question. */
const MAX_WORDS = 300;
const LAST_WORD = /[\p{L}\p{N}\p{Co}\p{M}]+$/u;

/** Phrases whose last word begins like the one given, as the index knows them. Undefined: too many. */
export function expandPrefix(db: Sqlite, phrase: string): string[] | undefined {
  const phrases = somePhrases(db, phrase);
  return phrases.length > MAX_WORDS ? undefined : phrases;
}

/** The first of them, however many there are: the word itself, if it is one, and some that go on. */
export function firstOfPrefix(db: Sqlite, phrase: string): string[] {
  return somePhrases(db, phrase).slice(0, MAX_WORDS);
}

/** One more than are wanted, if there are more. */
function somePhrases(db: Sqlite, phrase: string): string[] {
  const [written] = LAST_WORD.exec(phrase) ?? [];
  if (written === undefined) return [];
  const begin = phrase.slice(0, -written.length);
  const prefix = foldText(written);
  const words = db
    .prepare('SELECT term FROM vocabulary WHERE term >= ? AND term < ? LIMIT ?')
    .all(prefix, `${prefix}\u{10ffff}`, MAX_WORDS + 1) as { term: string }[];
  return words.map(({ term }) => begin + term);
}
