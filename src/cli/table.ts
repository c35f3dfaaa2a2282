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
export async function printTable(
  rows: string[][],
  { head, width = process.stdout.columns }: TableOptions = {},
): Promise<void> {
  if (rows.length === 0) return;
  const [first, ...others] = await layOut(head ? [head, ...rows] : rows, width);
  print(head ? paint('dim', first!) : first);
  for (const line of others) print(line);
}

/** The lines of a table. */
export async function layOut(rows: string[][], width: number | undefined): Promise<string[]> {
  const cells = rows.map((row) => row.map(oneLine));
  const measure = await measureFor(cells.flat());
  const natural = cells[0]!.map((_, column) => Math.max(...cells.map((row) => measure(row[column] ?? ''))));
  const widths = width === undefined ? natural : fitColumns(natural, width);
  return cells.map((row) =>
    row
      .map((cell, column) => pad(clip(cell, widths[column]!, measure), widths[column]!, measure))
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

type Measure = (text: string) => number;

/** Characters that take one column each: Latin letters, dashes, quotes, bullets, an ellipsis and arrows. */
const NARROW = /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2190-\u2193]*$/;

/** Which other characters take two columns or none takes 20 ms to load, a third of most commands. */
async function measureFor(texts: readonly string[]): Promise<Measure> {
  if (texts.every((text) => NARROW.test(text))) return (text) => text.length;
  const { default: stringWidth } = await import('string-width');
  return stringWidth;
}

function clip(text: string, width: number, measure: Measure): string {
  if (measure(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += measure(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

function pad(text: string, width: number, measure: Measure): string {
  return text + ' '.repeat(Math.max(0, width - measure(text)));
}
