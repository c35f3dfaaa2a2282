/** Stands between the words of a command: no argument can contain it, a space can be anywhere. */
export const WORD_BREAK = '\0';

/** Stands for text that only the shell will know: a variable, a substitution. */
export const UNKNOWN = '\u0001';

/** Stands for the names of files that a shell's own glob will find. */
export const FOUND = '\u0003';

/** Whether all of a text is as it says. */
export function isKnown(text: string): boolean {
  return !text.includes(UNKNOWN) && !text.includes(FOUND);
}

/** What of a text comes before anything unknown. */
export function knownStart(text: string): string {
  const at = [text.indexOf(UNKNOWN), text.indexOf(FOUND)].filter((index) => index !== -1);
  return at.length === 0 ? text : text.slice(0, Math.min(...at));
}

/** Stands for a wildcard where a pattern is read like a command. */
export const GAP = '\u0004';

/** Stands around an option that was taken out of its place and spelled in full. */
export const OPTION = '\u0006';
