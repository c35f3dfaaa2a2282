/** Stands between the words of a command: no argument can contain it, a space can be anywhere. */
export const WORD_BREAK = '\0';

/** Stands for text that only the shell will know: a variable, a substitution. */
export const UNKNOWN = '\u0001';

/** The same, but it has no blanks and nothing that a shell expands, so that it stays one word. */
export const UNKNOWN_WORD = `${UNKNOWN}\u000e`;

/** The name of the branch that is checked out. */
export const CURRENT_BRANCH = `${UNKNOWN_WORD}\u000f`;

/** Stands for the names of files that a shell's own glob will find. */
export const FOUND = '\u0003';

/** Stands for text that only the shell will know, but that is a number, a hash or the like: no option and no path. */
export const SOME = '\u0002';
/** Stands for a number that only the shell will know. */
export const SOME_NUMBER = `0${SOME}`;

/** Stands for the top folder of the repository that the command runs in, and for the folder that it runs in. */
export const TOP_FOLDER = '/\u0007';
export const THIS_FOLDER = '/\u0008';
/** Stands for the process that the text itself started. */
export const OWN_PROCESS = `1${SOME}`;

const MARKS = [UNKNOWN, FOUND, SOME, TOP_FOLDER, THIS_FOLDER];

/** Whether all of a text is as it says. */
export function isKnown(text: string): boolean {
  return !MARKS.some((mark) => text.includes(mark));
}

/** Whether a word may turn out to start with a dash, though it doesn't show one. */
export function mayStartAsOption(word: string): boolean {
  return word.startsWith(UNKNOWN) || word.startsWith(FOUND);
}

/** What of a text comes before anything unknown. */
export function knownStart(text: string): string {
  const at = MARKS.map((mark) => text.indexOf(mark)).filter((index) => index !== -1);
  return at.length === 0 ? text : text.slice(0, Math.min(...at));
}

/** The file that `<(…)` becomes. Its number varies; no rule names one. */
export const PIPE_NAME = '/dev/fd/63';

/** Stands for a wildcard where a pattern is read like a command. */
export const GAP = '\u0004';

/** Stands around an option that was taken out of its place and spelled in full. */
export const OPTION = '\u0006';
