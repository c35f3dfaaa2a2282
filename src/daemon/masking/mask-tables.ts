import { isPlainPassword, looksIssued, looksTyped, looksWeak } from './looks-secret.ts';
import { isPlaceholder, MASK } from './mask.ts';

const HEAD = /(?:^|[|,;\t"' ])(?:password|passwd|pwd|passphrase|secret|token|api[ _-]?key)(?:[|,;\t"' \r]|$)/gim;
const COLUMN =
  /^[ \t"'*`]*(?:[\w ]{0,20}[ _])?(?:password|passwd|pwd|passphrase|secret|token|api[ _-]?key)(?:[ _]value)?[ \t"'*`]*$/i;
const MAX_ROWS = 500;

/** Columns of a table or a CSV file whose heading says that they hold secrets. */
export function maskTables(text: string): string {
  if (!text.includes('\n')) return text;
  let masked = '';
  let done = 0;
  HEAD.lastIndex = 0;
  for (let found = HEAD.exec(text); found; found = HEAD.exec(text)) {
    const from = text.lastIndexOf('\n', found.index) + 1;
    const to = endOfLine(text, found.index + 1);
    HEAD.lastIndex = to;
    const rows = maskRows(text, to, text.slice(from, to));
    if (rows === undefined || from < done) continue;
    masked += text.slice(done, to) + rows.masked;
    done = rows.end;
    HEAD.lastIndex = done;
  }
  return done === 0 ? text : masked + text.slice(done);
}

/** The rows below a heading, as many as have its number of cells. */
function maskRows(text: string, start: number, head: string): { masked: string; end: number } | undefined {
  const separator = ['|', '\t', ',', ';'].find((each) => head.includes(each));
  if (separator === undefined || head.length > 400 || /[(){}=]/.test(head)) return undefined;
  const names = head.split(separator);
  const columns = names.flatMap((name, index) => (COLUMN.test(name) ? [index] : []));
  if (columns.length === 0 || names.filter((name) => /\w/.test(name)).length < 2) return undefined;
  let masked = '';
  let end = start;
  for (let row = 0; row < MAX_ROWS && end < text.length; row++) {
    const to = endOfLine(text, end + 1);
    const cells = to - end > 2000 ? [] : text.slice(end + 1, to).split(separator);
    if (cells.length !== names.length) break;
    for (const column of columns) cells[column] = maskCell(cells[column]!);
    masked += `\n${cells.join(separator)}`;
    end = to;
  }
  return { masked, end };
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at;
}

function maskCell(cell: string): string {
  const [, before, value, after] = /^([ \t"'`*]{0,20})(\S{4,500}?)([ \t"'`*\r]{0,40})$/.exec(cell) ?? [];
  if (!value || isPlaceholder(value)) return cell;
  const isOne = looksTyped(value) || looksIssued(value) || looksWeak(value) || isPlainPassword(value);
  return isOne ? `${before}${MASK}${after}` : cell;
}
