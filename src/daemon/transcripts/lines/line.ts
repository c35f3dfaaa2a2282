/** A parsed transcript line. Nothing in it is guaranteed: other client versions write other things. */
export type Line = Record<string, unknown>;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

export function recordsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
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
