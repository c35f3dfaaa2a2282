import type { AuditEntry } from '../../../src/contract/audit.ts';
import { saveFile } from '../ui/save-file.ts';

const COLUMNS = [
  'seq',
  'at',
  'action',
  'outcome',
  'by',
  'sessionId',
  'toolName',
  'toolInput',
  'ruleId',
  'waitedMs',
  'detail',
] as const;

export function saveEntries(entries: readonly AuditEntry[], format: 'csv' | 'json') {
  const day = new Date().toISOString().slice(0, 10);
  if (format === 'json') {
    saveFile({ name: `audit-${day}.json`, type: 'application/json', text: JSON.stringify(entries, null, 2) });
    return;
  }
  saveFile({ name: `audit-${day}.csv`, type: 'text/csv', text: toCsv(entries) });
}

export function toCsv(entries: readonly AuditEntry[]): string {
  const rows = entries.map((entry) => COLUMNS.map((column) => cell(fieldOf(entry, column))).join(','));
  return [COLUMNS.join(','), ...rows, ''].join('\r\n');
}

function fieldOf(entry: AuditEntry, column: (typeof COLUMNS)[number]): string {
  const value = entry[column];
  if (value === null || value === undefined) return '';
  if (column === 'at') return new Date(entry.at).toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Spreadsheets treat cells that start with = + - @ as formulas, and an agent may have written them. */
function cell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) && !/^-?\d/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
