const PLAIN_COMMANDS = '=dDgGhHnNpPxzFl';
const DELIMITERS = '/|,#:@!%~+_=';

class NotPlain extends Error {}

/**
 * Whether a sed script only transforms text: no `w`, `W`, `e` or `R`, no flag `w` or `e`, nothing unusual. Stricter than sed itself, which
 * has several dialects.
 */
export function isPlainSed(script: string, { readsFiles = true } = {}): boolean {
  try {
    new SedReader(script, readsFiles).read();
    return true;
  } catch (error) {
    if (error instanceof NotPlain) return false;
    throw error;
  }
}

class SedReader {
  readonly #text: string;
  readonly #readsFiles: boolean;
  #at = 0;

  constructor(text: string, readsFiles: boolean) {
    this.#text = text;
    this.#readsFiles = readsFiles;
  }

  read(): void {
    for (;;) {
      this.#skip(/[\s;}]*/y);
      if (this.#at >= this.#text.length) return;
      this.#readAddresses();
      this.#readCommand();
    }
  }

  #readAddresses(): void {
    const hasOne = this.#readAddress();
    this.#skip(/[ \t]*/y);
    if (hasOne && this.#peek() === ',') {
      this.#skip(/,[ \t]*[+~]?/y);
      if (!this.#readAddress()) throw new NotPlain();
    }
    this.#skip(/[ \t]*!*[ \t]*/y);
  }

  #readAddress(): boolean {
    if (this.#peek() === '/') {
      this.#at++;
      this.#readUntil('/');
      this.#skip(/[IM]*/y);
      return true;
    }
    return this.#skip(/\$|\d+(~\d+)?/y) !== '';
  }

  #readCommand(): void {
    const command = this.#peek();
    this.#at++;
    if (command === '{') return;
    if (command === 'r' && !this.#readsFiles) throw new NotPlain();
    if (command === '#' || (command !== '' && 'aicr'.includes(command))) {
      this.#readLine();
      return;
    }
    if (command === 's' || command === 'y') this.#readSubstitution(command);
    else if (command !== '' && ':btT'.includes(command)) this.#skip(/[ \t]*\w*/y);
    else if (command === 'q' || command === 'Q') this.#skip(/[ \t]*\d*/y);
    else if (command === '' || !PLAIN_COMMANDS.includes(command)) throw new NotPlain();
    this.#expectEnd();
  }

  #readSubstitution(command: 's' | 'y'): void {
    const delimiter = this.#peek();
    if (delimiter === '' || !DELIMITERS.includes(delimiter)) throw new NotPlain();
    this.#at++;
    this.#readUntil(delimiter);
    this.#readUntil(delimiter);
    if (command === 's') this.#skip(/[gpIiM\d]*/y);
  }

  #expectEnd(): void {
    this.#skip(/[ \t]*/y);
    if (!['', ';', '\n', '}', '#'].includes(this.#peek())) throw new NotPlain();
  }

  /** Inside brackets, a delimiter ends the text in one sed but not in another. */
  #readUntil(delimiter: string): void {
    let inBrackets = false;
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at]!;
      if (char === '\n') break;
      if (char === delimiter) {
        if (inBrackets) break;
        this.#at++;
        return;
      }
      if (char === '\\') this.#at++;
      else if (char === '[') inBrackets = true;
      else if (char === ']') inBrackets = false;
    }
    throw new NotPlain();
  }

  #readLine(): void {
    const line = this.#skip(/[^\n]*/y);
    // the text continues on the next line, or in the next script
    if (line.endsWith('\\')) throw new NotPlain();
  }

  #peek(): string {
    return this.#text[this.#at] ?? '';
  }

  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }
}
