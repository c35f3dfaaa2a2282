import { styleText } from 'node:util';

/** Colour only where a person looks. */
const isPlain = !process.stdout.isTTY || process.env.NO_COLOR !== undefined;

type Format = Parameters<typeof styleText>[0];

export function paint(format: Format, text: string): string {
  return isPlain ? text : styleText(format, text);
}

export function print(line = ''): void {
  process.stdout.write(`${line}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

export function complain(message: string): void {
  process.stderr.write(`gctl: ${message}\n`);
}

/** Columns as wide as their widest cell. */
export function printTable(rows: string[][]): void {
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
