const PLACEHOLDER = /(\\?)\{\{\s*([A-Za-z_][\w-]*)\s*\}\}/g;

/** Each `{{name}}` in a system prompt. One after a backslash is text. */
export function placeholdersIn(text: string): { name: string; offset: number }[] {
  return [...text.matchAll(PLACEHOLDER)]
    .filter(([, backslash]) => backslash === '')
    .map(({ 2: name = '', index }) => ({ name, offset: index }));
}

/**
 * Puts parameters into a system prompt. In one pass: a value that contains `{{other}}` or `$&` is text. Names that the blueprint
 * doesn't declare stay as they are; declared ones without a value leave nothing behind.
 */
export function renderPrompt(
  text: string,
  { declared, values }: { declared: readonly string[]; values: Record<string, unknown> },
): string {
  return text.replace(PLACEHOLDER, (whole: string, backslash: string, name: string) => {
    if (backslash) return whole.slice(1);
    if (!declared.includes(name)) return whole;
    return Object.hasOwn(values, name) ? asText(values[name]) : '';
  });
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
