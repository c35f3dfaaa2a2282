import { FOUND } from '../marks.ts';
import { decodeAnsiC } from './ansi-c.ts';
import { readHeredocSubstitution } from './heredoc.ts';
import { plainWords } from './plain-word.ts';

export class UnprovableText extends Error {}

export interface Word {
  /** With quotes and escapes resolved, and FOUND for what a file glob will find. */
  value: string;
  /** All words it expands to, if it has braces. */
  values: string[];
  source: string;
  /** Nothing in it is quoted or escaped. */
  isPlain: boolean;
  /** The name, if the shell sees this as `NAME=…`. */
  assigns: string | undefined;
}

const ENDS_WORD = new Set([' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')']);

/** Reads one word of a command at a time. Throws if its value can't be determined from the text. */
export class WordReader {
  protected readonly text: string;
  protected at = 0;

  constructor(text: string) {
    this.text = text;
  }

  protected skipBlanks(): void {
    for (;;) {
      const char = this.text[this.at];
      if (char === ' ' || char === '\t') this.at++;
      else if (char === '\\' && this.text[this.at + 1] === '\n') this.at += 2;
      else return;
    }
  }

  protected skipComment(): void {
    const end = this.text.indexOf('\n', this.at);
    this.at = end === -1 ? this.text.length : end;
  }

  protected readWord(): Word {
    const from = this.at;
    let value = '';
    let isPlain = true;
    let hasBraces = false;
    const quoted = (text: string) => {
      isPlain = false;
      value += text;
    };
    for (; this.at < this.text.length; this.at++) {
      const char = this.text[this.at]!;
      if (ENDS_WORD.has(char)) break;
      if (char === '\\') {
        const next = this.text[++this.at];
        if (next === undefined) throw new UnprovableText('it ends in a backslash');
        if (next !== '\n') quoted(next);
      } else if (char === "'") quoted(this.#readSingleQuoted());
      else if (char === '"') quoted(this.#readDoubleQuoted());
      else if (char === '$') quoted(this.#readDollar());
      else if (char === '`') throw new UnprovableText('it substitutes the output of a command');
      // in some locales a shell treats such a byte as a blank
      else if (char > '~') throw new UnprovableText('it has letters beyond ASCII outside of quotes');
      // zsh replaces it with the path of a program
      else if (char === '=' && this.at === from) throw new UnprovableText('a word starts with `=`');
      else if (char === '~' && this.#isFolderName(from)) throw new UnprovableText('it names a folder by its owner');
      else if (char === '*' || char === '?') value += FOUND;
      else if (char === '[' && !this.#isAlone(from)) {
        // what matches a bracket ends somewhere in the rest of the word
        value += FOUND;
        this.#skipRestOfGlob();
      } else {
        if (char === '{' || char === '}') hasBraces = true;
        value += char;
      }
    }
    // the shell joins continued lines before it looks for names: `LD_PRE\↵LOAD=…`
    const source = this.text.slice(from, this.at).replaceAll('\\\n', '');
    const [, assigns] = /^(\w+)(?:\[[^\]]*\])?\+?=/.exec(source) ?? [];
    // a number is a variable in zsh
    if (assigns !== undefined && (!source.startsWith(`${assigns}=`) || /^\d/.test(assigns))) {
      throw new UnprovableText(`it changes the variable ${assigns}`);
    }
    const values = hasBraces ? (isPlain ? plainWords(source) : undefined) : [value];
    if (!values) throw new UnprovableText('it has braces that cannot be told apart');
    return { value, values, source, isPlain, assigns };
  }

  #isAlone(from: number): boolean {
    const next = this.text[this.at + 1];
    return this.at === from && (next === undefined || ENDS_WORD.has(next));
  }

  /** `~someone`, `~+`, `~2`: not the user's own home. */
  #isFolderName(from: number): boolean {
    const next = this.text[this.at + 1];
    return this.at === from && next !== undefined && next !== '/' && !ENDS_WORD.has(next);
  }

  #skipRestOfGlob(): void {
    for (; this.at + 1 < this.text.length; this.at++) {
      const next = this.text[this.at + 1]!;
      if (ENDS_WORD.has(next)) return;
      if (!/[\w.\-/\]*?^!:,+=@%~]/.test(next)) throw new UnprovableText('it has a quoted part in a file glob');
    }
  }

  #readSingleQuoted(): string {
    const end = this.text.indexOf("'", this.at + 1);
    if (end === -1) throw new UnprovableText('a quote is left open');
    const inside = this.text.slice(this.at + 1, end);
    this.at = end;
    return inside;
  }

  #readDoubleQuoted(): string {
    let value = '';
    for (this.at++; this.at < this.text.length; this.at++) {
      const char = this.text[this.at]!;
      const next = this.text[this.at + 1];
      if (char === '"') return value;
      if (char === '`') throw new UnprovableText('it substitutes the output of a command');
      const fed = char === '$' && next === '(' ? readHeredocSubstitution(this.text, this.at) : undefined;
      if (fed) {
        value += fed.value;
        this.at = fed.end;
        continue;
      }
      // a dollar before a blank or the closing quote is a dollar
      if (char === '$' && next !== '"' && next !== ' ') throw new UnprovableText(substitution(next));
      if (char === '\\' && next === '\n') this.at++;
      else if (char === '\\' && next !== undefined && '$`"\\'.includes(next)) {
        value += next;
        this.at++;
      } else value += char;
    }
    throw new UnprovableText('a quote is left open');
  }

  #readDollar(): string {
    const next = this.text[this.at + 1];
    if (next !== "'") throw new UnprovableText(substitution(next));
    const decoded = decodeAnsiC(this.text, this.at + 2);
    if (!decoded) throw new UnprovableText("it has an unusual escape in $'…'");
    this.at = decoded.end;
    return decoded.value;
  }
}

function substitution(next: string | undefined): string {
  return next === '(' ? 'it substitutes the output of a command' : 'it uses a variable';
}
