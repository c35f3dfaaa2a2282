/*
 * For values that nobody has checked: what an agent, a file or another program wrote. Free of the schemas, since the page uses it too.
 */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

/** '' for whatever is no text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
