import { styleText } from 'node:util';

/** Colour only where a person looks. */
const isPlain = !process.stdout.isTTY || process.env.NO_COLOR !== undefined;

type Format = Parameters<typeof styleText>[0];

export function paint(format: Format, text: string): string {
  return isPlain ? text : styleText(format, plain(text));
}

/** All that moves the cursor, rings, or turns the direction of the text; invisible characters, too. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** Our own colours, and nothing else that begins with an escape. */
const COLOUR = new RegExp(`(${String.fromCharCode(27)}\\[[\\d;]*m)`);

/**
 * Agents choose most of the words that we show, and a person decides by what they see: what would hide or overwrite
 * anything is shown as what it is.
 */
export function plain(text: string): string {
  return text.replace(HIDDEN, (hidden) => hidden.split('').map(asEscape).join(''));
}

/** As JSON writes it, so that what we print as JSON stays what it is. */
function asEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A name that an agent chose, in the middle of a line of ours: with a line break in it, it could forge the next one. */
export function oneLine(text: string): string {
  return plain(text.replace(/\s+/g, ' '));
}

export function print(line = ''): void {
  const parts = isPlain ? [line] : line.split(COLOUR);
  // what stands between two of them is at even places
  process.stdout.write(`${parts.map((part, index) => (index % 2 === 0 ? plain(part) : part)).join('')}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

export function complain(message: string): void {
  process.stderr.write(`gctl: ${plain(message)}\n`);
}

/** Columns as wide as their widest cell. */
export function printTable(cells: string[][]): void {
  const rows = cells.map((row) => row.map(plain));
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length))) ?? [];
  for (const row of rows)
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
}

export function ago(at: number): string {
  const seconds = Math.max(0, Math.round((Date.now() - at) / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}
