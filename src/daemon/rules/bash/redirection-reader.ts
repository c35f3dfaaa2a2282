import { isKnown, PIPE_NAME, UNKNOWN } from '../marks.ts';
import { CommandReader } from './command-reader.ts';
import { OPENS } from './expansion.ts';
import { type Heredoc, readHeredocBody, readHeredocStart } from './heredoc.ts';
import { UnprovableText, type Word } from './word-reader.ts';

export const HEREDOC = 'it feeds text to a command in an unusual way';

/** Reads what is redirected into and out of commands: heredocs, files, descriptors, pipes with a name. */
export abstract class RedirectionReader extends CommandReader {
  /** Heredocs whose text starts on the next line. */
  protected readonly heredocs: { heredoc: Heredoc; line: number; input: { text?: string } }[] = [];
  /** The descriptor before a redirection. */
  protected descriptor: string | undefined;
  protected isCrowded = false;
  protected wordEnd = -1;
  /** Where heredocs start, and where their texts are. */
  protected readonly fed: { from: number; to: number; body?: string }[] = [];

  /** Reads the commands in a substitution that starts here. */
  protected abstract readInside(at: number): { value: string; end: number };

  get bare(): { text: string; fed: string[] } | undefined {
    if (!this.isCrowded) return undefined;
    const cuts = this.fed.toSorted((a, b) => b.from - a.from);
    const text = cuts.reduce((rest, { from, to }) => rest.slice(0, from) + rest.slice(to), this.text);
    return { text, fed: this.fed.flatMap(({ body }) => (body === undefined ? [] : [body])) };
  }

  protected skipHeredocs() {
    if (this.heredocs.length > 1) this.isCrowded = true;
    const end = this.at;
    for (const { heredoc, line, input } of this.heredocs.splice(0)) {
      // a newline in quotes: shells differ on whether the text starts after it
      if (this.text.slice(line, end).includes('\n')) throw new UnprovableText(HEREDOC);
      const read = readHeredocBody(this.text, this.at + 1, heredoc);
      if (!read || (!heredoc.isQuoted && /[$`\\]/.test(read.body))) throw new UnprovableText(HEREDOC);
      this.fed.push({ from: this.at, to: read.end, body: read.body });
      input.text = read.body;
      this.at = read.end;
    }
    if (this.at < this.text.length) this.at++;
  }

  #readHeredoc() {
    const start = readHeredocStart(this.text, this.at);
    if (!start || this.afterGroup) throw new UnprovableText(HEREDOC);
    const input = {};
    this.heredocs.push({ heredoc: start.heredoc, line: start.end, input });
    this.takeInput(input);
    this.fed.push({ from: this.at, to: start.end });
    this.at = start.end;
    this.isFed = true;
  }

  /** Only what is redirected to its standard input. */
  protected takeInput(input: { text?: string }) {
    this.current.input = (this.descriptor ?? '0') === '0' && !this.afterGroup && !this.current.input ? input : {};
  }

  #readHerestring() {
    this.at += 3;
    this.skipBlanks();
    const word = this.readWord();
    if (word.source === '' || word.values.length !== 1) throw new UnprovableText(HEREDOC);
    if (word.shows !== undefined) this.current.shows ??= word.shows;
    this.takeInput(isKnown(word.template) && !word.template.includes(OPENS) ? { text: `${word.template}\n` } : {});
    this.feed();
  }

  protected readRedirection(descriptor?: string) {
    this.descriptor = descriptor;
    const isFirst = this.current.words.length === 0 && !this.afterGroup;
    this.redirects = true;
    const [operator] =
      /^(&>>|&>|<<<|<<-|<<|<>|<&|<\(|>\(|>>|>&|>\||<|>)/.exec(this.text.slice(this.at, this.at + 3)) ?? [];
    if (operator === undefined || operator === '<>') throw new UnprovableText('it redirects in an unusual way');
    if (operator === '<<<') return this.#readHerestring();
    if (operator.startsWith('<<')) return this.#readHeredoc();
    const isOwnWord = this.at !== this.wordEnd;
    if (operator === '<(' && isOwnWord && !isFirst && !this.afterGroup) return this.#readProcess();
    if (operator.endsWith('(')) throw new UnprovableText('it substitutes a process');
    this.at += operator.length;
    this.skipBlanks();
    if (operator === '<' && this.text.startsWith('<(', this.at)) {
      this.#readProcessInside();
      return this.feed();
    }
    const target = this.at < this.text.length ? this.readWord() : undefined;
    const isDescriptor = operator === '>&' || operator === '<&';
    if (isDescriptor && target && /^(\d+|-)$/.test(target.value)) return;
    if (target?.value === '/dev/null' && operator !== '<&') return;
    if (operator === '<' && target?.values.length === 1 && !target.splits && this.inside.length === 0) {
      return this.#readFile(target);
    }
    const what = operator.startsWith('<') ? 'reads from a file' : 'writes to a file';
    throw new UnprovableText(`it ${what} (\`${operator} ${target?.source ?? ''}\`)`);
  }

  /** `< file` */
  #readFile({ template, shows }: Word) {
    if (shows !== undefined) throw new UnprovableText('it reads from a file that a variable names');
    const paths = this.fill([template]).flat();
    if (this.afterGroup) {
      this.feed();
      const runs = paths.map((path) => ['cat', path]);
      this.commands.push({ words: ['cat', UNKNOWN], assignments: [], isUnlisted: true, runs });
    } else {
      this.current.reads = [...(this.current.reads ?? []), ...paths];
      this.current.input = {};
      this.feed();
    }
  }

  /** `<(…)` as a word: the name of a pipe. */
  #readProcess() {
    this.redirects = false;
    this.#readProcessInside();
    this.current.words = [...this.current.words, PIPE_NAME];
    this.templates.push(PIPE_NAME);
  }

  #readProcessInside() {
    const { end } = this.readInside(this.at + 2);
    this.at = end + 1;
    if (/[^\s;&|)<>]/.test(this.text[this.at] ?? ' ')) throw new UnprovableText('it substitutes a process');
  }
}
