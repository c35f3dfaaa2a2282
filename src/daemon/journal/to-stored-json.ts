const SURROGATES = /\\\\|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}/g;
const LONE = 6;

/**
 * JSON that SQLite can take apart. Half of a surrogate pair is legal in JSON, and an agent or a device can send one; what json_extract
 * makes of it isn't valid UTF-8, which makes the binding abort the whole process. So it becomes U+FFFD, as it does everywhere else.
 */
export function toStoredJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!text.includes('\\ud')) return text;
  return text.replace(SURROGATES, (found) => (found.length === LONE ? '\\ufffd' : found));
}
