const PLACEHOLDER = /(\\?)\{\{\s*([A-Za-z_][\w-]*)\s*\}\}/g;

/** Each `{{name}}` in a system prompt. A backslash in front escapes it. */
export function placeholdersIn(text: string): { name: string; offset: number }[] {
  return [...text.matchAll(PLACEHOLDER)]
    .filter(([, backslash]) => backslash === '')
    .map(({ 2: name = '', index }) => ({ name, offset: index }));
}

/**
 * Fills parameters into a system prompt. In one pass, so a value containing `{{other}}` or `$&` stays text. Undeclared names are left as
 * is; declared ones without a value become empty.
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
