import stringWidth from 'string-width';
import { oneLine, paint, print } from './output.ts';

interface TableOptions {
  head?: string[];
  /** The terminal's width; undefined: a pipe or a file, which gets every cell in full. */
  width?: number | undefined;
}

const GAP = 2;
/** A column narrower than this is useless. */
const MIN_WIDTH = 8;

/** Columns as wide as their widest cell. In a terminal, the widest ones are truncated so a row stays on its line. */
export function printTable(rows: string[][], { head, width = process.stdout.columns }: TableOptions = {}): void {
  if (rows.length === 0) return;
  const [first, ...others] = layOut(head ? [head, ...rows] : rows, width);
  print(head ? paint('dim', first!) : first);
  for (const line of others) print(line);
}

/** The lines of a table. */
export function layOut(rows: string[][], width: number | undefined): string[] {
  const cells = rows.map((row) => row.map(oneLine));
  const natural = cells[0]!.map((_, column) => Math.max(...cells.map((row) => stringWidth(row[column] ?? ''))));
  const widths = width === undefined ? natural : fitColumns(natural, width);
  return cells.map((row) =>
    row
      .map((cell, column) => pad(clip(cell, widths[column]!), widths[column]!))
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
}

/** Takes from the widest column until the row fits, or every column is at its minimum. */
function fitColumns(natural: number[], width: number): number[] {
  const widths = [...natural];
  for (let over = widths.reduce((sum, one) => sum + one, GAP * (widths.length - 1)) - width; over > 0; over -= 1) {
    const widest = widths.indexOf(Math.max(...widths));
    if (widths[widest]! <= MIN_WIDTH) break;
    widths[widest]! -= 1;
  }
  return widths;
}

const graphemes = new Intl.Segmenter();

function clip(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += stringWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}
