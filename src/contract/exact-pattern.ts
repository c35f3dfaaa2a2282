/** A word as a pattern that matches it and nothing else. */
export function exactWord(word: string): string {
  return word === '' ? "''" : word.replace(/[\\*?{},|"'\s]/g, '\\$&');
}

/** A command as a pattern that matches it and nothing else. */
export function exactCommand(words: string[]): string {
  return words.map(exactWord).join(' ');
}

/** A line longer than this is known by its start. */
const MAX_LINE = 400;

/** A line of several commands as a pattern for that line. */
export function exactLine(line: string): string {
  const text = exactCommand(line.trim().split(/\s+/));
  // not in the middle of an escape or of a character
  return text.length <= MAX_LINE ? text : `${text.slice(0, MAX_LINE).replace(/\\+$|[\uD800-\uDBFF]$/, '')}*`;
}

/** A text or a path as a pattern that matches it and nothing else. */
export function exactText(text: string): string {
  return text.replace(/[\\*?{},|]/g, '\\$&');
}
