import { isRecord, recordOf, textOf } from '../../../contract/values.ts';

/** A parsed transcript line. Nothing in it is guaranteed: other client versions write other things. */
export type Line = Record<string, unknown>;

export function recordsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** A count: never negative, never a fraction. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && value > 0 && Number.isSafeInteger(value) ? value : 0;
}

export function timeOf(line: Line): number | null {
  const at = Date.parse(textOf(line.timestamp));
  return Number.isNaN(at) ? null : at;
}

/** A message's blocks: its text, its calls, the results of calls. */
export function blocksOf(line: Line): Record<string, unknown>[] {
  const { content } = recordOf(line.message);
  return typeof content === 'string' ? [{ type: 'text', text: content }] : recordsOf(content);
}
