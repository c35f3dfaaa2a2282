import {
  CURRENT_BRANCH,
  FOUND,
  OWN_PROCESS,
  SOME,
  SOME_NUMBER,
  THIS_FOLDER,
  TOP_FOLDER,
  UNKNOWN,
  UNKNOWN_WORD,
} from '../marks.ts';
import { decodeAnsiC } from './ansi-c.ts';
import { type Expansion, holeFor, readSum, readVariable } from './expansion.ts';
import { readHeredocSubstitution } from './heredoc.ts';
import { plainWords } from './plain-word.ts';
import { isForeignAddress, isPublicVariable } from './shell-variables.ts';

export class UnprovableText extends Error {}

export interface Word {
  /** With quotes and escapes resolved, FOUND for what a file glob will find, UNKNOWN for variables and substitutions. */
  value: string;
  /** All words it expands to, if it has braces. */
  values: string[];
  /** Like `value`, with known variables filled in and placeholders for those with several values. */
  template: string;
  source: string;
  /** Nothing in it is quoted, escaped or expanded. */
  isPlain: boolean;
  /** It may become several words, or none. */
  splits: boolean;
  /** An environment variable in it. */
  shows: string | undefined;
  /** The name, if the shell sees this as `NAME=…`. */
  assigns: string | undefined;
}

const ENDS_WORD = new Set([' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')']);
/** Outside quotes, such a value stays one word. */
const STAYS_WHOLE = new RegExp(
  `^(?:[\\w@%+:,./=${SOME}${TOP_FOLDER}${THIS_FOLDER}-]|${CURRENT_BRANCH}|${UNKNOWN_WORD})+$`,
);

/** Reads one word of a command at a time. Throws if its value can't be determined from the text. */
export abstract class WordReader {
  protected readonly text: string;
  protected at: number;

  constructor(text: string, at = 0) {
    this.text = text;
    this.at = at;
  }

  /** `$(…)` at this position: what its output looks like, and the index of its last character. */
  protected abstract readSubstitution(): { value: string; end: number };

  /** The values that a variable can have here; undefined if the text doesn't determine them. */
  protected abstract valuesOf(name: string): string[] | undefined;

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
    const made = new WordMaker();
    let hasBraces = false;
    for (; this.at < this.text.length; this.at++) {
      const char = this.text[this.at]!;
      if (ENDS_WORD.has(char)) break;
      if (char === '\\') {
        const next = this.text[++this.at];
        if (next === undefined) throw new UnprovableText('it ends in a backslash');
        if (next !== '\n') made.addQuoted(next);
      } else if (char === "'") made.addQuoted(this.#readSingleQuoted());
      else if (char === '"') this.#readDoubleQuoted(made);
      else if (char === '$' && this.text[this.at + 1] === "'") made.addQuoted(this.#readAnsiC());
      else if (char === '$') this.#readExpansion(made, { isQuoted: false });
      else if (char === '`') throw new UnprovableText('it substitutes the output of a command');
      // in some locales a shell treats such a byte as a blank
      else if (char > '~') throw new UnprovableText('it has letters beyond ASCII outside of quotes');
      // zsh replaces it with the path of a program
      else if (char === '=' && this.at === from && !this.#isComparison())
        throw new UnprovableText('a word starts with `=`');
      else if (char === '~' && this.#isFolderName(from)) this.#readFolderName(made);
      else if (char === '*' || char === '?') made.add(FOUND);
      else if (char === '[' && !this.#isAlone(from)) {
        // what matches a bracket ends somewhere in the rest of the word
        made.add(FOUND);
        this.#skipRestOfGlob();
      } else {
        if (char === '{' || char === '}') hasBraces = true;
        made.add(char);
      }
    }
    return this.#finish(made, from, hasBraces);
  }

  #finish({ value, template, isPlain, splits, shows }: WordMaker, from: number, hasBraces: boolean): Word {
    // the shell joins continued lines before it looks for names: `LD_PRE\↵LOAD=…`
    const source = this.text.slice(from, this.at).replaceAll('\\\n', '');
    const [, assigns] = /^(\w+)(?:\[[^\]]*\])?\+?=/.exec(source) ?? [];
    // a number is a variable in zsh
    if (assigns !== undefined && (!source.startsWith(`${assigns}=`) || /^\d/.test(assigns))) {
      throw new UnprovableText(`it changes the variable ${assigns}`);
    }
    const values = hasBraces ? (isPlain ? plainWords(source) : undefined) : [value];
    if (!values) throw new UnprovableText('its braces are ambiguous');
    return { value, values, template, source, isPlain, splits, shows, assigns };
  }

  #isAlone(from: number): boolean {
    const next = this.text[this.at + 1];
    return this.at === from && (next === undefined || ENDS_WORD.has(next));
  }

  /** `=`, `==` and `=~`, as used in tests. */
  #isComparison(): boolean {
    return /^=[=~]?(?:\s|$)/.test(this.text.slice(this.at, this.at + 3));
  }

  /** `~someone`, `~+`, `~2`: not the user's own home. */
  #isFolderName(from: number): boolean {
    const next = this.text[this.at + 1];
    return this.at === from && next !== undefined && next !== '/' && !ENDS_WORD.has(next);
  }

  /** `--tag ~slow`: someone's home, if there is such a user, and else the text itself. Never an option. */
  #readFolderName(made: WordMaker): void {
    const shape = /~[a-z_][\w-]*(?=[ \t\n;&|)]|$)/y;
    shape.lastIndex = this.at;
    const [name] = shape.exec(this.text) ?? [];
    if (name === undefined) throw new UnprovableText('it uses the home folder of a user (`~name`)');
    made.expand({ value: UNKNOWN, values: [name], end: 0 }, { isQuoted: true });
    this.at += name.length - 1;
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

  #readDoubleQuoted(made: WordMaker): void {
    made.addQuoted('');
    for (this.at++; this.at < this.text.length; this.at++) {
      const char = this.text[this.at]!;
      const next = this.text[this.at + 1];
      if (char === '"') return;
      if (char === '`') throw new UnprovableText('it substitutes the output of a command');
      const fed = char === '$' && next === '(' ? readHeredocSubstitution(this.text, this.at) : undefined;
      if (fed) {
        made.addQuoted(fed.value);
        this.at = fed.end;
        continue;
      }
      // a dollar before a blank or the closing quote is a dollar
      if (char === '$' && next !== '"' && next !== ' ') this.#readExpansion(made, { isQuoted: true });
      else if (char === '\\' && next === '\n') this.at++;
      else if (char === '\\' && next !== undefined && '$`"\\'.includes(next)) {
        made.addQuoted(next);
        this.at++;
      } else made.addQuoted(char);
    }
    throw new UnprovableText('a quote is left open');
  }

  #readAnsiC(): string {
    const decoded = decodeAnsiC(this.text, this.at + 2);
    if (!decoded) throw new UnprovableText("it has an unusual escape in $'…'");
    this.at = decoded.end;
    return decoded.value;
  }

  #readExpansion(made: WordMaker, { isQuoted }: { isQuoted: boolean }): void {
    const expansion = this.#expand();
    made.expand(expansion, { isQuoted });
    this.at = expansion.end;
  }

  #expand(): Expansion {
    const { text, at } = this;
    if (text.startsWith('$((', at)) {
      const end = readSum(text, at, (name) => this.valuesOf(name)?.every(isNumber) === true);
      if (end === undefined) throw new UnprovableText('it computes (`$((`)');
      return { value: UNKNOWN, values: [SOME_NUMBER], end };
    }
    if (text[at + 1] === '(') {
      const { value, end } = this.readSubstitution();
      return { value: UNKNOWN, values: [value], end };
    }
    const read = readVariable(text, at);
    if (!read) throw new UnprovableText('it uses a variable in an unusual way');
    const { name, isWhole, end } = read;
    if (isWhole && name === 'HOME') return { value: '~', values: ['~'], end };
    if (/^[?#$]$/.test(name)) return { value: UNKNOWN, values: [SOME_NUMBER], end };
    if (isWhole && name === 'PWD') return { value: UNKNOWN, values: [THIS_FOLDER], end };
    if (name === '!') return { value: UNKNOWN, values: [OWN_PROCESS], end };
    const known = this.valuesOf(name);
    const isAddress = known === undefined && isWhole && isForeignAddress(text, name);
    const values = isWhole && known ? known : [isAddress ? SOME : UNKNOWN];
    const isShown = known === undefined && !isPublicVariable(name);
    return { value: UNKNOWN, values, end, ...(isShown && { name }), ...(values.length > 1 && { variable: name }) };
  }
}

function isNumber(value: string): boolean {
  return value === SOME_NUMBER || value === OWN_PROCESS || /^(?:0|[1-9]\d{0,8})$/.test(value);
}

/** Assembles a word from its parts. */
class WordMaker {
  value = '';
  template = '';
  isPlain = true;
  splits = false;
  shows: string | undefined;

  add(text: string): void {
    this.value += text;
    this.template += text;
  }

  addQuoted(text: string): void {
    this.isPlain = false;
    this.add(text);
  }

  expand({ value, values, variable, name }: Expansion, { isQuoted }: { isQuoted: boolean }): void {
    this.isPlain = false;
    this.value += value;
    this.shows ??= name;
    const isWhole = isQuoted || values.every((each) => STAYS_WHOLE.test(each) || each === '~');
    if (!isWhole) this.splits = true;
    const known = variable === undefined ? values[0]! : holeFor(variable);
    this.template += isWhole ? known : UNKNOWN;
  }
}
