import { hiddenCharacter } from '../../../contract/hidden-characters.ts';
import { isKnown, UNKNOWN } from '../marks.ts';
import { type Kind, MAX_LOOPED } from './command-reader.ts';
import { outputOf } from './known-output.ts';
import { HEREDOC, RedirectionReader } from './redirection-reader.ts';
import { isOwnVariable, isSetOnce } from './shell-variables.ts';
import type { StrictCommand } from './simple-command.ts';
import { UnprovableText, type Word } from './word-reader.ts';

export type StrictReading =
  | {
      commands: StrictCommand[];
      /** The text without its heredocs, and the heredocs, if several start on one line: the grammar can't read those. */
      bare?: { text: string; fed: string[] } | undefined;
      unprovable?: undefined;
    }
  | { unprovable: string };

export const MAX_COMMAND = 65_536;
const MAX_NESTED = 6;

/** Words that start something other than a simple command, in bash or zsh. */
const RESERVED = new Set(
  (
    'if then elif else fi for while until do done case esac select function coproc in [[ ]] (( )) ' +
    'foreach end repeat always nocorrect noglob time - declare typeset local readonly unset integer float private'
  ).split(' '),
);

/** Open constructs, and the words that lead from one state to the next. `undefined`: closed. */
const STEPS = new Map<string, Partial<Record<Kind, Kind | 'closed'>>>([
  ['then', { if: 'body' }],
  ['elif', { body: 'if' }],
  ['else', { body: 'else' }],
  ['fi', { body: 'closed', else: 'closed' }],
  ['do', { while: 'do' }],
  ['done', { do: 'closed' }],
]);

/**
 * Reads the part of the shell's language in which the text alone determines what will run: words, quotes, `&&`, `||`, `;`, `&`, pipes,
 * subshells, groups, loops, conditions, plain-text heredocs, variables and substitutions that aren't command names, and redirections that
 * don't write files. The rest is unprovable, with a reason. Allow rules rest on this reader, so it is kept small enough to check by eye.
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

class StrictReader extends RedirectionReader {
  read(): StrictCommand[] {
    for (this.skipBlanks(); this.at < this.text.length; this.skipBlanks()) {
      const isEnd = this.depth > 0 && this.text[this.at] === ')' && this.open.length === 0;
      if (isEnd) return this.#finish();
      this.#readNext();
    }
    if (this.depth > 0) throw new UnprovableText('a substitution is left open');
    return this.#finish();
  }

  #finish(): StrictCommand[] {
    this.endCommand();
    if (this.open.length > 0) throw new UnprovableText('a group is left open');
    if (this.heredocs.length > 0) throw new UnprovableText('a heredoc is left open');
    if (this.commands.length === 0) throw new UnprovableText('it contains no command');
    return this.commands;
  }

  protected readSubstitution(): { value: string; end: number } {
    return this.readInside(this.at + 2);
  }

  protected readInside(at: number): { value: string; end: number } {
    if (this.depth >= MAX_NESTED) throw new UnprovableText('it substitutes too deeply');
    const inner = new StrictReader(this.text, {
      ...{ at, depth: this.depth + 1, isFed: this.isFed },
      variables: new Map(this.variables),
    });
    const commands = inner.read();
    if (inner.fed.length > 0) throw new UnprovableText(HEREDOC);
    this.inside.push(...commands);
    const pipeline = inner.isOnePipeline ? commands.filter((one) => !inner.nestedIn.has(one)) : [];
    return { value: outputOf(pipeline.map(({ words }) => words)), end: inner.at };
  }

  #readNext() {
    const char = this.text[this.at]!;
    if (char === '#') return this.skipComment();
    if (char === '\n' || char === ';' || char === '|' || char === '&') return this.#readOperator(char);
    if (char === '<' || char === '>') return this.readRedirection();
    if (char === '(') return this.#openGroup('(');
    if (char === ')') return this.#closeGroup('(');
    if (/^\[\[[ \t]/.test(this.text.slice(this.at, this.at + 3)) && this.#startsCommand()) return this.#readTest();
    const word = this.readWord();
    this.wordEnd = this.at;
    const next = this.text[this.at];
    if ((next === '<' || next === '>') && word.isPlain) {
      if (/^\d$/.test(word.value)) return this.readRedirection(word.value);
      // a descriptor in bash, an argument in zsh
      if (/^\d+$/.test(word.value)) throw new UnprovableText('it redirects in an unusual way');
      if (word.value.endsWith('}')) throw new UnprovableText('it redirects to a descriptor it names itself');
    }
    this.#addWord(word);
  }

  #addWord(word: Word) {
    const { words, assignments } = this.current;
    const isFirst = words.length === 0;
    if (isFirst && assignments.length === 0 && word.isPlain && !this.redirects) {
      if (word.source === '!') {
        this.isNegated = true;
        return;
      }
      if (word.source === 'time' && this.startsPipeline) return this.#readTime();
      if (word.source === '{') return this.#openGroup('{');
      if (word.source === '}') return this.#closeGroup('{');
      if (!this.afterGroup && this.#readKeyword(word.source)) return;
    }
    if (this.afterGroup) throw new UnprovableText('words follow a group');
    if (isFirst && word.assigns) {
      assignments.push({ name: word.assigns, value: word.value.slice(word.assigns.length + 1) });
      this.assigned = { name: word.assigns, word };
      return;
    }
    // zsh treats a dash as a separate word even if it is quoted
    if (isFirst && (word.isPlain || word.value === '-') && RESERVED.has(word.value))
      throw new UnprovableText(`it uses \`${word.source}\``);
    // zsh ends a group at any lone brace, and starts one at a word that begins with a brace
    if (/^[{}]$/.test(word.source)) throw new UnprovableText('it has a lone brace');
    const isName = !/[{}]/.test(word.source) && isKnown(word.value);
    if (isFirst && !isName) throw new UnprovableText('the name of a command is not spelled out');
    this.append(word);
  }

  /** `if`, `for` and the keywords that follow them. False: none of these. */
  #readKeyword(source: string): boolean {
    if (source === 'if' || source === 'while' || source === 'until') {
      this.pushOpen(source === 'if' ? 'if' : 'while');
      return true;
    }
    if (source === 'for') {
      this.#readFor();
      return true;
    }
    const steps = STEPS.get(source);
    if (!steps) return false;
    const open = this.open.at(-1);
    const to = open && steps[open.kind];
    if (!open || !to) throw new UnprovableText(`it has a stray \`${source}\``);
    if (open.part === this.commands.length) throw new UnprovableText(`it has nothing before \`${source}\``);
    open.part = this.commands.length;
    this.startsPipeline = true;
    if (to === 'closed') this.close();
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
        const given = word.values.length > 1 ? word.values : this.fill([word.template]).flat();
        values.push(...(word.splits ? [UNKNOWN] : given));
      }
    }
    this.commands.push(...this.inside.splice(0));
    const isEmpty = values.length === 0;
    this.at++;
    for (this.skipBlanks(); this.text[this.at] === '\n'; this.skipBlanks()) this.at++;
    if (isEmpty || this.readWord().source !== 'do') throw new UnprovableText('it has an unusual `for`');
    this.pushOpen('do');
    const isOne = isSetOnce(this.text, name.source) && values.length <= MAX_LOOPED;
    this.variables.set(name.source, isOne ? [...new Set(values)] : [UNKNOWN]);
    this.open.at(-1)!.variable = name.source;
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
    const { words, assignments } = this.current;
    return words.length === 0 && assignments.length === 0 && !this.redirects && !this.afterGroup;
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
      const runs = this.fill(['[', ...templates, ']']);
      this.commands.push({ words, assignments: [], runs, isUnlisted: true, ...(shows !== undefined && { shows }) });
    }
    this.commands.push(...this.inside.splice(0));
    this.afterGroup = { kind: '{', commands: this.commands.length, part: 0, isFed: false };
  }

  /** At the start of a pipeline, `time` is a shell keyword; elsewhere bash and zsh differ. */
  #readTime() {
    this.startsPipeline = false;
    this.skipBlanks();
    const next = this.text.slice(this.at, this.at + 3);
    if (/^-p[ \t]/.test(next)) this.at += 2;
    else if (next.startsWith('-')) throw new UnprovableText('`time` is used in an unusual way');
  }

  #readOperator(char: string) {
    const isDouble = this.text[this.at + 1] === char;
    const next = this.text[this.at + 1];
    if (char === '&' && next === '>') return this.readRedirection();
    if (char === ';' && (isDouble || next === '&' || next === '|')) throw new UnprovableText('it has a stray `;`');
    if (char === '&' && (next === '|' || next === '!')) throw new UnprovableText('it has a stray `&`');
    const isLone = this.current.words.length === 0 && this.current.assignments.length === 0 && !this.afterGroup;
    if (isLone && char !== '\n') throw new UnprovableText(`it has a stray \`${char}\``);
    this.endCommand();
    if (char !== '&' || !isDouble || this.isNegated) this.chain = {};
    this.isNegated = false;
    this.afterGroup = undefined;
    this.startsPipeline = char !== '|' || isDouble;
    if (this.startsPipeline) this.isOnePipeline = false;
    this.isSure = char === ';' || char === '\n' || (char === '&' && !isDouble);
    this.isFed = !this.startsPipeline || this.isInsideFed();
    if (char === '\n' && this.heredocs.length > 0) this.skipHeredocs();
    else if (char === '|' && next === '&') this.at += 2;
    else this.at += isDouble && char !== '\n' ? 2 : 1;
  }

  #openGroup(kind: '(' | '{') {
    if (this.current.words.length > 0 || this.current.assignments.length > 0 || this.afterGroup) {
      throw new UnprovableText('it has parentheses where no command starts');
    }
    if (kind === '(') {
      this.at++;
      if (this.text[this.at] === '(') throw new UnprovableText('it computes (`((`)');
    }
    this.pushOpen(kind);
  }

  #closeGroup(kind: '(' | '{') {
    this.endCommand();
    const opened = this.open.at(-1);
    if (opened?.kind !== kind) throw new UnprovableText('its groups do not match');
    if (opened.commands === this.commands.length) throw new UnprovableText('it has an empty group');
    if (kind === '(') this.at++;
    this.close();
  }
}
