import type { Sqlite } from '../../journal/sqlite.ts';
import { foldText } from './fold-text.ts';

/** So many words are looked for one by one. The index merges the rows of all that begin alike before it gives the first, and once for each question. */
const MAX_WORDS = 300;
const LAST_WORD = /[\p{L}\p{N}\p{Co}\p{M}]+$/u;

/** Phrases whose last word begins like the one given, as the index knows them. Undefined: too many. */
export function expandPrefix(db: Sqlite, phrase: string): string[] | undefined {
  const [written] = LAST_WORD.exec(phrase) ?? [];
  if (written === undefined) return undefined;
  const begin = phrase.slice(0, -written.length);
  const prefix = foldText(written);
  const words = db
    .prepare('SELECT term FROM vocabulary WHERE term >= ? AND term < ? LIMIT ?')
    .all(prefix, `${prefix}\u{10ffff}`, MAX_WORDS + 1) as { term: string }[];
  return words.length > MAX_WORDS ? undefined : words.map(({ term }) => begin + term);
}
