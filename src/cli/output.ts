import { stripVTControlCharacters, styleText } from 'node:util';
import { replaceHidden, revealHidden, stripHidden } from '../contract/hidden-characters.ts';

/** Colors only for a terminal. */
const isPlain = !process.stdout.isTTY || process.env.NO_COLOR !== undefined;

type Format = Parameters<typeof styleText>[0];

/**
 * Agents choose most of the text we print, so an escape sequence in it must not count as one of our colors. Ours carry a mark that can't be
 * guessed until they are written.
 */
const MARK = isPlain ? '' : Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex');
const ESCAPE = String.fromCharCode(27);
const OWN_COLOR = new RegExp(`(${ESCAPE}\\[${MARK}[\\d;]*m)`);

export function paint(format: Format, text: string): string {
  return isPlain ? text : styleText(format, revealHidden(text)).replaceAll(`${ESCAPE}[`, `${ESCAPE}[${MARK}`);
}

/** Text that is only read, such as a transcript: without colors, escape sequences and hidden characters. */
export function readable(text: string): string {
  return stripHidden(stripVTControlCharacters(text));
}

/** An agent's text inside one of our lines: with a line break, it could forge the next one. */
export function oneLine(text: string): string {
  return revealHidden(text.replace(/[\t\n]+/g, ' '));
}

/** One line, whatever is in it. */
export function print(line = ''): void {
  process.stdout.write(`${toLine(line)}\n`);
}

/** As it is written to the terminal: our own colors, and nothing else that a terminal obeys. */
export function toLine(line: string): string {
  return splitColors(line).map(toVisible).join('');
}

/** Without our own colors: to measure it. */
export function withoutColors(line: string): string {
  return splitColors(line)
    .filter((_, index) => index % 2 === 0)
    .join('');
}

/** Without colors there is nothing of ours in it. */
function splitColors(line: string): string[] {
  return isPlain ? [line] : line.split(OWN_COLOR);
}

/** Text between two colors is at even positions. */
function toVisible(part: string, index: number): string {
  return index % 2 === 0 ? revealHidden(part.replaceAll('\n', ' ')) : part.replace(MARK, '');
}

/** Text with several lines. The caller is responsible for where they break. */
export function printLines(text: string): void {
  for (const line of text.split('\n')) print(line);
}

/** Hidden characters are escaped, so a terminal shows them and a program reads them unchanged. */
export function toSafeJson(value: unknown, indent?: number): string {
  return replaceHidden(JSON.stringify(value, null, indent), (character) => character.split('').map(asEscape).join(''));
}

function asEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export function printJson(value: unknown): void {
  process.stdout.write(`${toSafeJson(value, 2)}\n`);
}

/** For `--follow` and `--watch`: one value per line. */
export function printJsonLine(value: unknown): void {
  process.stdout.write(`${toSafeJson(value)}\n`);
}

/** Further lines are indented, so none passes for a separate message. */
export function complain(message: string): void {
  process.stderr.write(`gctl: ${revealHidden(message).replace(/\n */g, '\n  ')}\n`);
}

/** `1 file`, `3 files`. */
export const count = (value: number, noun: string): string => `${value} ${noun}${value === 1 ? '' : 's'}`;

export function ago(at: number): string {
  const seconds = Math.max(0, Math.round((Date.now() - at) / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}
