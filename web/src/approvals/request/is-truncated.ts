/** The daemon's mark for truncated content in lists and streams. */
const MARK = /… \[\+\d+ (?:chars|items)\]$/;

export function isTruncated(value: unknown): boolean {
  if (typeof value === 'string') return value === '…' || MARK.test(value.slice(-40));
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(isTruncated);
}
