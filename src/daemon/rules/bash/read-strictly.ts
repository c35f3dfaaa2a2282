import { hiddenCharacter } from '../../../contract/hidden-characters.ts';
import { isKnown, PIPE_NAME, SOME_NUMBER, UNKNOWN } from '../marks.ts';
import { fillHoles } from './expansion.ts';
import { type Heredoc, readHeredocBody, readHeredocStart } from './heredoc.ts';
import { outputOf } from './known-output.ts';
import { isCounter, isOwnVariable, isSetOnce } from './shell-variables.ts';
import type { StrictCommand } from './simple-command.ts';
import { UnprovableText, type Word, WordReader } from './word-reader.ts';

export type StrictReading =
  | {
      commands: StrictCommand[];
      /** The text without its heredocs, and the heredocs, if several start on one line: the grammar can't read those. */
      bare?: { text: string; fed: string[] } | undefined;
      unprovable?: undefined;
    }
  | { unprovable: string };

export const MAX_COMMAND = 65_536;
const MAX_COMMANDS = 100;
const MAX_NESTED = 6;
const MAX_LOOPED = 32;
const HEREDOC = 'it feeds text to a command in an unusual way';

/** Words that start something other than a simple command, in bash or zsh. */
const RESERVED = new Set(
  (
    'if then elif else fi for while until do done case esac select function coproc in [[ ]] (( )) ' +
    'foreach end repeat always nocorrect noglob time - declare typeset local readonly unset integer float private'
  ).split(' '),
);

/** What may stand open, and which words lead from there to what. `undefined`: it is closed. */
type Kind = '(' | '{' | 'if' | 'body' | 'else' | 'while' | 'do';
const STEPS = new Map<string, Partial<Record<Kind, Kind | 'closed'>>>([
  ['then', { if: 'body' }],
  ['elif', { body: 'if' }],
  ['else', { body: 'else' }],
  ['fi', { body: 'closed', else: 'closed' }],
  ['do', { while: 'do' }],
  ['done', { do: 'closed' }],
]);

interface Open {
  kind: Kind;
  /** How many commands there were before it, and before its current part. */
  commands: number;
  part: number;
  isFed: boolean;
  /** The variable of a loop, which has its values in here only. */
  variable?: string;
}

/**
 * Reads the part of the shell's language in which everything that will run can be told from the text: words, quotes, `&&`, `||`,
 * `;`, `&`, pipes, subshells, groups, loops, conditions, heredocs that are plain text, variables and substitutions whose value is no
 * name of a command, and redirections that write no file. The rest is unprovable, with the reason. It is kept this small so that it can
 * be checked by eye, and the allow of a rule rests on it.
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

interface Nested {
  at: number;
  depth: number;
  isFed: boolean;
  variables: Map<string, string[]>;
}

class StrictReader extends WordReader {
  readonly #commands: StrictCommand[] = [];
  readonly #open: Open[] = [];
  /** Heredocs whose text starts on the next line. */
  readonly #heredocs: { heredoc: Heredoc; line: number }[] = [];
  /** Where heredocs start, and where their texts are. */
  readonly #fed: { from: number; to: number; body?: string }[] = [];
  /** What variables are known to be from here on. */
  readonly #variables: Map<string, string[]>;
  /** Inside a substitution: how deep. */
  readonly #depth: number;
  readonly #startsFed: boolean;
  #isCrowded = false;
  #wordEnd = -1;
  #current: StrictCommand = { words: [], assignments: [] };
  /** What runs in substitutions of the command at hand. */
  #inside: StrictCommand[] = [];
  /** The current command's input comes from a pipe or from the text. */
  #isFed: boolean;
  #redirects = false;
  #startsPipeline = true;
  /** After `)`, `}`, `fi` or `done` only an operator or a redirection may follow. */
  #afterGroup: Open | undefined;
  /** Nothing but pipes so far. */
  #isOnePipeline = true;
  /** The command at hand runs for certain, once everything before it has. */
  #isSure = true;

  constructor(text: string, nested?: Nested) {
    super(text, nested?.at);
    this.#variables = nested?.variables ?? new Map();
    this.#depth = nested?.depth ?? 0;
    this.#startsFed = nested?.isFed ?? false;
    this.#isFed = this.#startsFed;
  }

  get bare(): { text: string; fed: string[] } | undefined {
    if (!this.#isCrowded) return undefined;
    const cuts = this.#fed.toSorted((a, b) => b.from - a.from);
    const text = cuts.reduce((rest, { from, to }) => rest.slice(0, from) + rest.slice(to), this.text);
    return { text, fed: this.#fed.flatMap(({ body }) => (body === undefined ? [] : [body])) };
  }

  read(): StrictCommand[] {
    for (this.skipBlanks(); this.at < this.text.length; this.skipBlanks()) {
      const isEnd = this.#depth > 0 && this.text[this.at] === ')' && this.#open.length === 0;
      if (isEnd) return this.#finish();
      this.#readNext();
    }
    if (this.#depth > 0) throw new UnprovableText('a substitution is left open');
    return this.#finish();
  }

  #finish(): StrictCommand[] {
    this.#endCommand();
    if (this.#open.length > 0) throw new UnprovableText('a group is left open');
    if (this.#heredocs.length > 0) throw new UnprovableText('a heredoc is left open');
    if (this.#commands.length === 0) throw new UnprovableText('it contains no command');
    return this.#commands;
  }

  protected readSubstitution(): { value: string; end: number } {
    return this.#readInside(this.at + 2);
  }

  protected valuesOf(name: string): string[] | undefined {
    return this.#variables.get(name);
  }

  #readInside(at: number): { value: string; end: number } {
    if (this.#depth >= MAX_NESTED) throw new UnprovableText('it substitutes too deeply');
    const inner = new StrictReader(this.text, {
      ...{ at, depth: this.#depth + 1, isFed: this.#isFed },
      variables: new Map(this.#variables),
    });
    const commands = inner.read();
    if (inner.#fed.length > 0) throw new UnprovableText(HEREDOC);
    this.#inside.push(...commands);
    const last = inner.#isOnePipeline ? commands.filter((one) => !inner.#nestedIn.has(one)).at(-1) : undefined;
    return { value: last ? outputOf(last.words) : UNKNOWN, end: inner.at };
  }

  /** Commands of substitutions, which are listed behind the command that they are part of. */
  readonly #nestedIn = new Set<StrictCommand>();

  #readNext() {
    const char = this.text[this.at]!;
    if (char === '#') return this.skipComment();
    if (char === '\n' || char === ';' || char === '|' || char === '&') return this.#readOperator(char);
    if (char === '<' || char === '>') return this.#readRedirection();
    if (char === '(') return this.#openGroup('(');
    if (char === ')') return this.#closeGroup('(');
    if (/^\[\[[ \t]/.test(this.text.slice(this.at, this.at + 3)) && this.#startsCommand()) return this.#readTest();
    const word = this.readWord();
    this.#wordEnd = this.at;
    const next = this.text[this.at];
    if ((next === '<' || next === '>') && word.isPlain) {
      if (/^\d$/.test(word.value)) return this.#readRedirection();
      // a descriptor in bash, an argument in zsh
      if (/^\d+$/.test(word.value)) throw new UnprovableText('it redirects in an unusual way');
      if (word.value.endsWith('}')) throw new UnprovableText('it redirects to a descriptor it names itself');
    }
    this.#addWord(word);
  }

  #addWord(word: Word) {
    const { words, assignments } = this.#current;
    const isFirst = words.length === 0;
    if (isFirst && assignments.length === 0 && word.isPlain && !this.#redirects) {
      if (word.source === '!') return;
      if (word.source === 'time' && this.#startsPipeline) return this.#readTime();
      if (word.source === '{') return this.#openGroup('{');
      if (word.source === '}') return this.#closeGroup('{');
      if (!this.#afterGroup && this.#readKeyword(word.source)) return;
    }
    if (this.#afterGroup) throw new UnprovableText('words follow a group');
    if (isFirst && word.assigns) {
      assignments.push({ name: word.assigns, value: word.value.slice(word.assigns.length + 1) });
      this.#assigned = { name: word.assigns, word };
      return;
    }
    // zsh treats a dash as a separate word even if it is quoted
    if (isFirst && (word.isPlain || word.value === '-') && RESERVED.has(word.value))
      throw new UnprovableText(`it uses \`${word.source}\``);
    // zsh ends a group at any lone brace, and starts one at a word that begins with a brace
    if (/^[{}]$/.test(word.source)) throw new UnprovableText('it has a lone brace');
    const isName = !/[{}]/.test(word.source) && isKnown(word.value);
    if (isFirst && !isName) throw new UnprovableText('the name of a command is not spelled out');
    this.#append(word);
  }

  #assigned: { name: string; word: Word } | undefined;
  /** The words of the command at hand, with the values of variables. */
  #templates: string[] = [];

  #fill(templates: string[]): string[][] {
    const filled = fillHoles(templates, (name) => this.#variables.get(name), MAX_LOOPED);
    if (!filled) throw new UnprovableText('its loops run too often');
    return filled;
  }

  #append(word: Word) {
    const command = this.#current;
    if (/^\w+$/.test(word.value) && !word.isPlain && command.words[0] === 'read') {
      throw new UnprovableText('`read` is used in an unusual way');
    }
    command.words = [...command.words, ...word.values];
    this.#templates.push(...(word.values.length === 1 ? [word.template] : word.values));
    if (word.splits) command.splits = true;
    if (word.shows !== undefined) command.shows ??= word.shows;
  }

  /** `if`, `for` and what follows them. False: it is none of these. */
  #readKeyword(source: string): boolean {
    if (source === 'if' || source === 'while' || source === 'until') {
      this.#pushOpen(source === 'if' ? 'if' : 'while');
      return true;
    }
    if (source === 'for') {
      this.#readFor();
      return true;
    }
    const steps = STEPS.get(source);
    if (!steps) return false;
    const open = this.#open.at(-1);
    const to = open && steps[open.kind];
    if (!open || !to) throw new UnprovableText(`it has a stray \`${source}\``);
    if (open.part === this.#commands.length) throw new UnprovableText(`it has nothing before \`${source}\``);
    open.part = this.#commands.length;
    this.#startsPipeline = true;
    if (to === 'closed') this.#close();
    else open.kind = to;
    return true;
  }

  /** `for NAME in WORDS; do` */
  #readFor() {
    this.skipBlanks();
    const name = this.text[this.at] === '(' ? undefined : this.readWord();
    if (!name?.isPlain || !isOwnVariable(name.source)) throw new UnprovableText('its loop sets an unusual variable');
    this.skipBlanks();
    if (this.readWord().source !== 'in') throw new UnprovableText('it has an unusual `for`');
    const values: string[] = [];
    for (this.skipBlanks(); !/[;\n]/.test(this.text[this.at] ?? ';'); this.skipBlanks()) {
      if (/[&|<>()]/.test(this.text[this.at]!)) throw new UnprovableText('it has an unusual `for`');
      const range = this.#readRange();
      if (range) values.push(...range);
      else {
        const word = this.readWord();
        if (word.source.startsWith('#')) throw new UnprovableText('it has an unusual `for`');
        const given = word.values.length > 1 ? word.values : this.#fill([word.template]).flat();
        values.push(...(word.splits ? [UNKNOWN] : given));
      }
    }
    this.#commands.push(...this.#inside.splice(0));
    const isEmpty = values.length === 0;
    this.at++;
    for (this.skipBlanks(); this.text[this.at] === '\n'; this.skipBlanks()) this.at++;
    if (isEmpty || this.readWord().source !== 'do') throw new UnprovableText('it has an unusual `for`');
    this.#pushOpen('do');
    const isOne = isSetOnce(this.text, name.source) && values.length <= MAX_LOOPED;
    this.#variables.set(name.source, isOne ? [...new Set(values)] : [UNKNOWN]);
    this.#open.at(-1)!.variable = name.source;
  }

  /** `{1..5}` */
  #readRange(): string[] | undefined {
    const shape = /\{(\d{1,6})\.\.(\d{1,6})\}(?=[\s;])/y;
    shape.lastIndex = this.at;
    const [whole, first, last] = shape.exec(this.text) ?? [];
    if (whole === undefined) return undefined;
    this.at += whole.length;
    const [from, to] = [Number(first), Number(last)];
    const count = Math.abs(to - from) + 1;
    if (count > MAX_LOOPED || /^0\d/.test(first!) || /^0\d/.test(last!)) return [UNKNOWN];
    return Array.from({ length: count }, (_, at) => String(from + Math.sign(to - from) * at));
  }

  #startsCommand(): boolean {
    const { words, assignments } = this.#current;
    return words.length === 0 && assignments.length === 0 && !this.#redirects && !this.#afterGroup;
  }

  /** `[[ … ]]`, where nothing is split and few things are special. */
  #readTest() {
    this.at += 2;
    const parts: Word[][] = [[]];
    for (;;) {
      this.skipBlanks();
      const two = this.text.slice(this.at, this.at + 2);
      if (two === '&&' || two === '||') {
        this.at += 2;
        parts.push([]);
        continue;
      }
      if (this.at >= this.text.length || /[\n;&|<>()]/.test(two[0]!)) throw new UnprovableText('it uses `[[`');
      const word = this.readWord();
      if (word.source === ']]') break;
      parts.at(-1)!.push(word);
    }
    for (const part of parts) {
      const templates = part.map(({ template }) => template);
      const words = ['[', ...part.map(({ value }) => value), ']'];
      const shows = part.find((word) => word.shows !== undefined)?.shows;
      const runs = this.#fill(['[', ...templates, ']']);
      this.#commands.push({ words, assignments: [], runs, isUnlisted: true, ...(shows !== undefined && { shows }) });
    }
    this.#commands.push(...this.#inside.splice(0));
    this.#afterGroup = { kind: '{', commands: this.#commands.length, part: 0, isFed: false };
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
    if (char === ';' && (isDouble || next === '&' || next === '|')) throw new UnprovableText('it has a stray `;`');
    if (char === '&' && (next === '|' || next === '!')) throw new UnprovableText('it has a stray `&`');
    const isLone = this.#current.words.length === 0 && this.#current.assignments.length === 0 && !this.#afterGroup;
    if (isLone && char !== '\n') throw new UnprovableText(`it has a stray \`${char}\``);
    this.#endCommand();
    this.#afterGroup = undefined;
    this.#startsPipeline = char !== '|' || isDouble;
    if (this.#startsPipeline) this.#isOnePipeline = false;
    this.#isSure = char === ';' || char === '\n';
    this.#isFed = !this.#startsPipeline || this.#isInsideFed();
    if (char === '\n' && this.#heredocs.length > 0) this.#skipHeredocs();
    else if (char === '|' && next === '&') this.at += 2;
    else this.at += isDouble && char !== '\n' ? 2 : 1;
  }

  #isInsideFed(): boolean {
    return this.#startsFed || this.#open.some(({ isFed }) => isFed);
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
    this.at += 3;
    this.skipBlanks();
    const word = this.readWord();
    if (word.source === '' || word.values.length !== 1) throw new UnprovableText(HEREDOC);
    if (word.shows !== undefined) this.#current.shows ??= word.shows;
    this.#feed();
  }

  /** The command at hand has an input, or all that is in the group before. */
  #feed() {
    this.#isFed = true;
    const group = this.#afterGroup;
    if (!group) return;
    this.#commands.push(...this.#inside.splice(0));
    for (let at = group.commands; at < this.#commands.length; at++) this.#commands[at]!.isFed = true;
  }

  #readRedirection() {
    const isFirst = this.#current.words.length === 0 && !this.#afterGroup;
    this.#redirects = true;
    const [operator] =
      /^(&>>|&>|<<<|<<-|<<|<>|<&|<\(|>\(|>>|>&|>\||<|>)/.exec(this.text.slice(this.at, this.at + 3)) ?? [];
    if (operator === undefined || operator === '<>') throw new UnprovableText('it redirects in an unusual way');
    if (operator === '<<<') return this.#readHerestring();
    if (operator.startsWith('<<')) return this.#readHeredoc();
    const isOwnWord = this.at !== this.#wordEnd;
    if (operator === '<(' && isOwnWord && !isFirst && !this.#afterGroup) return this.#readProcess();
    if (operator.endsWith('(')) throw new UnprovableText('it substitutes a process');
    this.at += operator.length;
    this.skipBlanks();
    if (operator === '<' && this.text.startsWith('<(', this.at)) {
      this.#readProcessInside();
      return this.#feed();
    }
    const target = this.at < this.text.length ? this.readWord() : undefined;
    const isDescriptor = operator === '>&' || operator === '<&';
    if (isDescriptor && target && /^(\d+|-)$/.test(target.value)) return;
    if (target?.value === '/dev/null' && operator !== '<&') return;
    if (operator === '<' && target?.values.length === 1 && !target.splits && this.#inside.length === 0) {
      return this.#readFile(target);
    }
    const what = operator.startsWith('<') ? 'reads from a file' : 'writes to a file';
    throw new UnprovableText(`it ${what} (\`${operator} ${target?.source ?? ''}\`)`);
  }

  /** `< file` */
  #readFile({ template, shows }: Word) {
    if (shows !== undefined) throw new UnprovableText('it reads from a file that a variable names');
    const paths = this.#fill([template]).flat();
    if (this.#afterGroup) {
      this.#feed();
      const runs = paths.map((path) => ['cat', path]);
      this.#commands.push({ words: ['cat', UNKNOWN], assignments: [], isUnlisted: true, runs });
    } else {
      this.#current.reads = [...(this.#current.reads ?? []), ...paths];
      this.#feed();
    }
  }

  /** `<(…)` as a word: the name of a pipe. */
  #readProcess() {
    this.#redirects = false;
    this.#readProcessInside();
    this.#current.words = [...this.#current.words, PIPE_NAME];
    this.#templates.push(PIPE_NAME);
  }

  #readProcessInside() {
    const { end } = this.#readInside(this.at + 2);
    this.at = end + 1;
    if (/[^\s;&|)<>]/.test(this.text[this.at] ?? ' ')) throw new UnprovableText('it substitutes a process');
  }

  #openGroup(kind: '(' | '{') {
    if (this.#current.words.length > 0 || this.#current.assignments.length > 0 || this.#afterGroup) {
      throw new UnprovableText('it has parentheses where no command starts');
    }
    if (kind === '(') {
      this.at++;
      if (this.text[this.at] === '(') throw new UnprovableText('it computes (`((`)');
    }
    this.#pushOpen(kind);
  }

  #pushOpen(kind: Kind) {
    this.#startsPipeline = true;
    this.#isOnePipeline = false;
    const { length } = this.#commands;
    this.#open.push({ kind, commands: length, part: length, isFed: this.#isFed });
  }

  #closeGroup(kind: '(' | '{') {
    this.#endCommand();
    const opened = this.#open.at(-1);
    if (opened?.kind !== kind) throw new UnprovableText('its groups do not match');
    if (opened.commands === this.#commands.length) throw new UnprovableText('it has an empty group');
    if (kind === '(') this.at++;
    this.#close();
  }

  #close() {
    const opened = this.#open.pop()!;
    if (opened.variable !== undefined) this.#variables.set(opened.variable, [UNKNOWN]);
    this.#afterGroup = opened;
  }

  #endCommand() {
    const { words, assignments } = this.#current;
    // zsh then runs a program of its own choice
    if (this.#redirects && words.length === 0 && !this.#afterGroup) throw new UnprovableText('it redirects no command');
    this.#redirects = false;
    if (words.length > 0 || assignments.length > 0) this.#push();
    for (const inner of this.#inside) this.#nestedIn.add(inner);
    this.#commands.push(...this.#inside.splice(0));
    if (this.#commands.length > MAX_COMMANDS) throw new UnprovableText(`it has more than ${MAX_COMMANDS} commands`);
    this.#current = { words: [], assignments: [] };
    this.#templates = [];
    this.#assigned = undefined;
  }

  #push() {
    const { words } = this.#current;
    const isExpanded = this.#templates.some((template, at) => template !== words[at]);
    const isInLoop = this.#open.findLastIndex(({ kind }) => kind === 'do' || kind === 'while');
    const isInShell = this.#open.findLastIndex(({ kind }) => kind === '(');
    this.#commands.push({
      ...this.#current,
      ...(isExpanded && { runs: this.#fill(this.#templates) }),
      ...(words[0] === '[' && { isUnlisted: true }),
      ...(isInLoop > isInShell && { repeats: true }),
      ...(this.#isFed && { isFed: true }),
    });
    if (words.length === 0 && this.#assigned) this.#remember(this.#assigned);
    if (words[0] === 'read') for (const name of words.slice(1)) this.#variables.set(name, [UNKNOWN]);
  }

  /** Elsewhere it is not sure that it was set, or that it is not set again. */
  #remember({ name, word }: { name: string; word: Word }) {
    const isPlace = this.#open.length === 0 && this.#isSure && this.#current.assignments.length === 1;
    const values = this.#fill([word.template.slice(name.length + 1)]).flat();
    const isKnownHere = isPlace && this.#depth === 0 && isSetOnce(this.text, name) && this.#isAloneInPipeline();
    const value = isCounter(this.text, name) ? SOME_NUMBER : UNKNOWN;
    this.#variables.set(name, isKnownHere ? values : [value]);
  }

  #isAloneInPipeline(): boolean {
    const end = this.text.slice(this.at, this.at + 2);
    return this.#startsPipeline && !/^\|(?!\|)|^&(?!&)/.test(end);
  }
}
