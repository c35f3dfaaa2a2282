import {
  CURRENT_BRANCH,
  FOUND,
  OWN_PROCESS,
  SOME,
  SOME_NUMBER,
  THIS_FOLDER,
  TOP_FOLDER,
  UNKNOWN,
  UNKNOWN_WORD,
  WORD_BREAK,
} from '../marks.ts';

/** One command and its arguments, quotes and escapes resolved, with marks where only the shell knows the value. */
export interface SimpleCommand {
  words: string[];
  /** `NAME=value` before the command, or alone. */
  assignments: { name: string; value: string }[];
  /** Its input comes from another command, or from the text itself. */
  isFed?: true;
}

/** What a strict reading adds. */
export interface StrictCommand extends SimpleCommand {
  /** Its words for each known value of the variables in them. */
  runs?: string[][];
  /** A variable or substitution outside of quotes may become several words, or none. */
  splits?: true;
  /** It shows a variable of the environment, which may hold a secret. */
  shows?: string;
  /** Commands with the same one run only after all of them before succeeded, in the same shell. */
  chain?: object;
  /** It may run again after what follows it in a loop. */
  repeats?: true;
  /** The grammar-based reader doesn't list it: `[ … ]`, and a file redirected into a group. */
  isUnlisted?: true;
  /** Files redirected into it. */
  reads?: string[];
  /** The text that it reads, once that has been read. */
  input?: { text?: string };
}

export function asText({ words }: Pick<SimpleCommand, 'words'>): string {
  return words.join(WORD_BREAK);
}

/** For people: as it could be typed, truncated to a readable length. */
export function asTyped(words: string[], max = 80): string {
  const line = words
    .map((word) => {
      const shown = word
        .replaceAll(OWN_PROCESS, '…')
        .replaceAll(SOME_NUMBER, '…')
        .replaceAll(SOME, '…')
        .replaceAll(TOP_FOLDER, '…')
        .replaceAll(THIS_FOLDER, '…')
        .replaceAll(CURRENT_BRANCH, '…')
        .replaceAll(UNKNOWN_WORD, '…')
        .replaceAll(UNKNOWN, '…')
        .replaceAll(FOUND, '*');
      return /^[\w@%+=:,./~…*?[\]{}!^#-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`;
    })
    .join(' ')
    .replace(/\s+/g, ' ');
  return line.length <= max ? line : `${line.slice(0, max - 1).toWellFormed()}…`;
}
