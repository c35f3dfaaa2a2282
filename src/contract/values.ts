/*
 * For unvalidated values: written by an agent, a file or another program. Without schemas, because the page uses it too.
 */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

/** '' for anything that isn't a string. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
