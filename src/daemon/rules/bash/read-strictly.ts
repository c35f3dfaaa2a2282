import { hiddenCharacter } from '../../../contract/hidden-characters.ts';
import { isKnown } from '../marks.ts';
import { type Heredoc, readHeredocBody, readHeredocStart } from './heredoc.ts';
import type { SimpleCommand } from './simple-command.ts';
import { UnprovableText, WordReader } from './word-reader.ts';

export type StrictReading =
  | {
      commands: SimpleCommand[];
      /** The text without its heredocs, and the heredocs, if several start on one line: the grammar can't read those. */
      bare?: { text: string; fed: string[] } | undefined;
      unprovable?: undefined;
    }
  | { unprovable: string };

export const MAX_COMMAND = 65_536;
const MAX_COMMANDS = 100;
const HEREDOC = 'it feeds text to a command in an unusual way';

/** Words that start something other than a simple command, in bash or zsh. */
const RESERVED = new Set(
  (
    'if then elif else fi for while until do done case esac select function coproc in [[ ]] (( )) ' +
    'foreach end repeat always nocorrect noglob time - declare typeset local readonly export unset integer float private'
  ).split(' '),
);

/**
 * Reads the subset of shell syntax in which everything that will run can be determined from the text: plain words, quotes, `&&`, `||`, `;`,
 * pipes, subshells, groups, literal heredocs, and redirections that reach no file. The rest is unprovable, with a reason. It is kept this
 * small so it can be verified by reading, because allow rules depend on it.
 */
export function readStrictly(text: string): StrictReading {
  if (text.length > MAX_COMMAND) return { unprovable: 'it is longer than 64 KB' };
  const hidden = hiddenCharacter(text);
  if (hidden) return { unprovable: `it contains the invisible character ${hidden}` };
  try {
    const reader = new StrictReader(text);
    return { commands: reader.read(), bare: reader.bare };
  } catch (error) {
    if (error instanceof UnprovableText) return { unprovable: error.message };
    throw error;
  }
}

class StrictReader extends WordReader {
  readonly #commands: SimpleCommand[] = [];
  readonly #open: { kind: '(' | '{'; commands: number; isFed: boolean }[] = [];
  /** Heredocs whose text starts on the next line. */
  readonly #heredocs: { heredoc: Heredoc; line: number }[] = [];
  /** Where heredocs start, and where their texts are. */
  readonly #fed: { from: number; to: number; body?: string }[] = [];
  #isCrowded = false;
  #current: SimpleCommand = { words: [], assignments: [] };
  /** The current command's input comes from a pipe or from the text. */
  #isFed = false;
  #redirects = false;
  #startsPipeline = true;
  /** After `)` or `}`, only an operator or a redirection may follow. */
  #afterGroup = false;

  get bare(): { text: string; fed: string[] } | undefined {
    if (!this.#isCrowded) return undefined;
    const cuts = this.#fed.toSorted((a, b) => b.from - a.from);
    const text = cuts.reduce((rest, { from, to }) => rest.slice(0, from) + rest.slice(to), this.text);
    return { text, fed: this.#fed.flatMap(({ body }) => (body === undefined ? [] : [body])) };
  }

  read(): SimpleCommand[] {
    for (this.skipBlanks(); this.at < this.text.length; this.skipBlanks()) this.#readNext();
    this.#endCommand();
    if (this.#open.length > 0) throw new UnprovableText('a group is left open');
    if (this.#heredocs.length > 0) throw new UnprovableText('a heredoc is left open');
    if (this.#commands.length === 0) throw new UnprovableText('it contains no command');
    return this.#commands;
  }

  #readNext() {
    const char = this.text[this.at]!;
    if (char === '#') return this.skipComment();
    if (char === '\n' || char === ';' || char === '|' || char === '&') return this.#readOperator(char);
    if (char === '<' || char === '>') return this.#readRedirection();
    if (char === '(') return this.#openGroup('(');
    if (char === ')') return this.#closeGroup('(');
    const word = this.readWord();
    const next = this.text[this.at];
    if ((next === '<' || next === '>') && word.isPlain) {
      if (/^\d$/.test(word.value)) return this.#readRedirection();
      // a descriptor in bash, an argument in zsh
      if (/^\d+$/.test(word.value)) throw new UnprovableText('it redirects in an unusual way');
      if (word.value.endsWith('}')) throw new UnprovableText('it redirects to a descriptor it names itself');
    }
    this.#addWord(word);
  }

  #addWord(word: ReturnType<WordReader['readWord']>) {
    const { words, assignments } = this.#current;
    const isFirst = words.length === 0;
    if (isFirst && assignments.length === 0 && word.isPlain && !this.#redirects) {
      if (word.source === '!') return;
      if (word.source === 'time' && this.#startsPipeline) return this.#readTime();
      if (word.source === '{') return this.#openGroup('{');
      if (word.source === '}') return this.#closeGroup('{');
    }
    if (this.#afterGroup) throw new UnprovableText('words follow a group');
    if (isFirst && word.assigns) {
      const value = word.value.slice(word.assigns.length + 1);
      assignments.push({ name: word.assigns, value });
      return;
    }
    // zsh treats a dash as a separate word even if it is quoted
    if (isFirst && (word.isPlain || word.value === '-') && RESERVED.has(word.value))
      throw new UnprovableText(`it uses \`${word.source}\``);
    // zsh ends a group at any lone brace, and starts one at a word that begins with a brace
    if (/^[{}]$/.test(word.source)) throw new UnprovableText('it has a lone brace');
    const isName = !/[{}]/.test(word.source) && isKnown(word.value);
    if (isFirst && !isName) throw new UnprovableText('the name of a command is not spelled out');
    words.push(...word.values);
  }

  /** At the start of a pipeline, `time` is a shell keyword; elsewhere bash and zsh differ. */
  #readTime() {
    this.#startsPipeline = false;
    this.skipBlanks();
    const next = this.text.slice(this.at, this.at + 3);
    if (/^-p[ \t]/.test(next)) this.at += 2;
    else if (next.startsWith('-')) throw new UnprovableText('`time` is used in an unusual way');
  }

  #readOperator(char: string) {
    const isDouble = this.text[this.at + 1] === char;
    const next = this.text[this.at + 1];
    if (char === '&' && next === '>') return this.#readRedirection();
    if (char === '&' && !isDouble) throw new UnprovableText('it leaves a command running in the background (`&`)');
    if (char === ';' && (isDouble || next === '&' || next === '|')) throw new UnprovableText('it has a stray `;`');
    this.#endCommand();
    this.#afterGroup = false;
    this.#startsPipeline = char !== '|' || isDouble;
    this.#isFed = !this.#startsPipeline || this.#open.at(-1)?.isFed === true;
    if (char === '\n' && this.#heredocs.length > 0) this.#skipHeredocs();
    else if (char === '|' && next === '&') this.at += 2;
    else this.at += isDouble && char !== '\n' ? 2 : 1;
  }

  #skipHeredocs() {
    if (this.#heredocs.length > 1) this.#isCrowded = true;
    const end = this.at;
    for (const { heredoc, line } of this.#heredocs.splice(0)) {
      // a newline in quotes: shells differ on whether the text starts after it
      if (this.text.slice(line, end).includes('\n')) throw new UnprovableText(HEREDOC);
      const read = readHeredocBody(this.text, this.at + 1, heredoc);
      if (!read || (!heredoc.isQuoted && /[$`\\]/.test(read.body))) throw new UnprovableText(HEREDOC);
      this.#fed.push({ from: this.at, to: read.end, body: read.body });
      this.at = read.end;
    }
    if (this.at < this.text.length) this.at++;
  }

  #readHeredoc() {
    const start = readHeredocStart(this.text, this.at);
    if (!start || this.#afterGroup) throw new UnprovableText(HEREDOC);
    this.#heredocs.push({ heredoc: start.heredoc, line: start.end });
    this.#fed.push({ from: this.at, to: start.end });
    this.at = start.end;
    this.#isFed = true;
  }

  #readHerestring() {
    if (this.#afterGroup) throw new UnprovableText(HEREDOC);
    this.at += 3;
    this.skipBlanks();
    const word = this.readWord();
    if (word.source === '' || word.values.length !== 1) throw new UnprovableText(HEREDOC);
    this.#isFed = true;
  }

  #readRedirection() {
    this.#redirects = true;
    const [operator] =
      /^(&>>|&>|<<<|<<-|<<|<>|<&|<\(|>\(|>>|>&|>\||<|>)/.exec(this.text.slice(this.at, this.at + 3)) ?? [];
    if (operator === undefined || operator === '<>') throw new UnprovableText('it redirects in an unusual way');
    if (operator === '<<<') return this.#readHerestring();
    if (operator.startsWith('<<')) return this.#readHeredoc();
    if (operator.endsWith('(')) throw new UnprovableText('it substitutes a process');
    this.at += operator.length;
    this.skipBlanks();
    const target = this.at < this.text.length ? this.readWord() : undefined;
    const isDescriptor = operator === '>&' || operator === '<&';
    if (isDescriptor && target && /^(\d+|-)$/.test(target.value)) return;
    if (target?.value === '/dev/null' && operator !== '<&') return;
    const what = operator.startsWith('<') ? 'reads from a file' : 'writes to a file';
    throw new UnprovableText(`it ${what} (\`${operator} ${target?.source ?? ''}\`)`);
  }

  #openGroup(kind: '(' | '{') {
    if (this.#current.words.length > 0 || this.#current.assignments.length > 0 || this.#afterGroup) {
      throw new UnprovableText('it has parentheses where no command starts');
    }
    if (kind === '(') {
      this.at++;
      if (this.text[this.at] === '(') throw new UnprovableText('it computes (`((`)');
    }
    this.#startsPipeline = true;
    this.#open.push({ kind, commands: this.#commands.length, isFed: this.#isFed });
  }

  #closeGroup(kind: '(' | '{') {
    this.#endCommand();
    const opened = this.#open.pop();
    if (opened?.kind !== kind) throw new UnprovableText('its groups do not match');
    if (opened.commands === this.#commands.length) throw new UnprovableText('it has an empty group');
    if (kind === '(') this.at++;
    this.#afterGroup = true;
  }

  #endCommand() {
    const { words, assignments } = this.#current;
    // zsh then runs a program of its own choice
    if (this.#redirects && words.length === 0 && !this.#afterGroup) throw new UnprovableText('it redirects no command');
    this.#redirects = false;
    if (words.length > 0 || assignments.length > 0) {
      this.#commands.push(this.#isFed ? { ...this.#current, isFed: true } : this.#current);
    }
    if (this.#commands.length > MAX_COMMANDS) throw new UnprovableText(`it has more than ${MAX_COMMANDS} commands`);
    this.#current = { words: [], assignments: [] };
  }
}
