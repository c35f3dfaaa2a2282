import type { AuditEntry } from '../../contract/audit.ts';

const COLUMNS = [
  'seq',
  'at',
  'action',
  'by',
  'sessionId',
  'outcome',
  'toolName',
  'toolInput',
  'ruleId',
  'waitedMs',
  'detail',
] as const;

export function* toJsonLines(entries: Iterable<AuditEntry>): Generator<string> {
  for (const entry of entries) yield `${JSON.stringify(entry)}\n`;
}

export function* toCsv(entries: Iterable<AuditEntry>): Generator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  for (const entry of entries)
    yield `${COLUMNS.map((column) => cell(column === 'at' ? new Date(entry.at).toISOString() : entry[column])).join(',')}\r\n`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // A spreadsheet would run a cell that looks like a formula, and agents choose these texts.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
