/** A pattern that matches exactly this word. */
export function exactWord(word: string): string {
  return word === '' ? "''" : word.replace(/[\\*?{},|"'\s]/g, '\\$&');
}

/** A pattern that matches exactly this command. */
export function exactCommand(words: string[]): string {
  return words.map(exactWord).join(' ');
}

/** A longer line is identified by its start. */
const MAX_LINE = 400;

/** A pattern for a line of several commands. */
export function exactLine(line: string): string {
  const text = exactCommand(line.trim().split(/\s+/));
  // not in the middle of an escape or a character
  return text.length <= MAX_LINE ? text : `${text.slice(0, MAX_LINE).replace(/\\+$|[\uD800-\uDBFF]$/, '')}*`;
}

/** A pattern that matches exactly this text or path. */
export function exactText(text: string): string {
  return text.replace(/[\\*?{},|]/g, '\\$&');
}
