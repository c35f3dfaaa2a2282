const SIMPLE: Record<string, string> = { n: '\n', t: '\t', '\\': '\\', "'": "'", '"': '"' };

/**
 * The text of `$'…'` from its first character, and the index of its closing quote. Escapes that bash and zsh read differently, and those
 * that produce control characters, stay undecided.
 */
export function decodeAnsiC(text: string, from: number): { value: string; end: number } | undefined {
  let value = '';
  for (let at = from; at < text.length; at++) {
    const char = text[at]!;
    if (char === "'") return { value, end: at };
    if (char !== '\\') {
      value += char;
      continue;
    }
    const next = text[at + 1] ?? '';
    const [hex] = /^x[\da-fA-F]{2}|^[0-7]{3}|^u[\da-fA-F]{4}/.exec(text.slice(at + 1, at + 6)) ?? [];
    if (next in SIMPLE) {
      value += SIMPLE[next];
      at++;
    } else if (hex !== undefined) {
      const code = /^[xu]/.test(hex) ? Number.parseInt(hex.slice(1), 16) : Number.parseInt(hex, 8);
      if (code < 0x20 || code > 0x7e) return undefined;
      value += String.fromCharCode(code);
      at += hex.length;
    } else return undefined;
  }
  return undefined;
}
