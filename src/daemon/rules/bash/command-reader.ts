import { SOME_NUMBER, UNKNOWN } from '../marks.ts';
import { fillHoles } from './expansion.ts';
import { isCounter, isSetOnce } from './shell-variables.ts';
import type { StrictCommand } from './simple-command.ts';
import { UnprovableText, type Word, WordReader } from './word-reader.ts';

const MAX_COMMANDS = 100;

function changesFolder([name]: string[]): boolean {
  return name === 'cd' || name === 'pushd' || name === 'popd';
}

export const MAX_LOOPED = 32;

/** Constructs that can be open. */
export type Kind = '(' | '{' | 'if' | 'body' | 'else' | 'while' | 'do';

export interface Open {
  kind: Kind;
  /** How many commands came before it, and before its current part. */
  commands: number;
  part: number;
  isFed: boolean;
  /** A loop's variable, which has its values only inside the loop. */
  variable?: string;
}

export interface Nested {
  at: number;
  depth: number;
  isFed: boolean;
  variables: Map<string, string[]>;
}

/** Assembles commands from words, and tracks the open constructs around them and the possible values of variables. */
export abstract class CommandReader extends WordReader {
  protected readonly commands: StrictCommand[] = [];
  protected readonly open: Open[] = [];
  /** The known values of variables from here on. */
  protected readonly variables: Map<string, string[]>;
  /** Inside a substitution: how deep. */
  protected readonly depth: number;
  protected readonly startsFed: boolean;
  protected current: StrictCommand = { words: [], assignments: [] };
  /** Commands in substitutions of the current command. */
  protected inside: StrictCommand[] = [];
  /** The current command's input comes from a pipe or from the text. */
  protected isFed: boolean;
  protected redirects = false;
  protected startsPipeline = true;
  /** After `)`, `}`, `fi` or `done` only an operator or a redirection may follow. */
  protected afterGroup: Open | undefined;
  /** Nothing but pipes so far. */
  protected isOnePipeline = true;
  /** The current command certainly runs once everything before it has. */
  protected isSure = true;
  /** Commands in substitutions, listed after the command they are part of. */
  protected readonly nestedIn = new Set<StrictCommand>();
  protected chain = {};
  /** What follows it runs if it failed. */
  protected isNegated = false;
  protected assigned: { name: string; word: Word } | undefined;
  /** The words of the current command, with the values of variables. */
  protected templates: string[] = [];

  constructor(text: string, nested?: Nested) {
    super(text, nested?.at);
    this.variables = nested?.variables ?? new Map();
    this.depth = nested?.depth ?? 0;
    this.startsFed = nested?.isFed ?? false;
    this.isFed = this.startsFed;
  }

  protected fill(templates: string[]): string[][] {
    const filled = fillHoles(templates, (name) => this.variables.get(name), MAX_LOOPED);
    if (!filled) throw new UnprovableText('its loops run too often');
    return filled;
  }

  protected append(word: Word) {
    const command = this.current;
    if (/^\w+$/.test(word.value) && !word.isPlain && command.words[0] === 'read') {
      throw new UnprovableText('`read` is used in an unusual way');
    }
    command.words = [...command.words, ...word.values];
    this.templates.push(...(word.values.length === 1 ? [word.template] : word.values));
    if (word.splits) command.splits = true;
    if (word.shows !== undefined) command.shows ??= word.shows;
  }

  protected valuesOf(name: string): string[] | undefined {
    return this.variables.get(name);
  }

  /** The current command has an input, or everything in the group before it does. */
  protected feed() {
    this.isFed = true;
    const group = this.afterGroup;
    if (!group) return;
    this.commands.push(...this.inside.splice(0));
    for (let at = group.commands; at < this.commands.length; at++) this.commands[at]!.isFed = true;
  }

  protected pushOpen(kind: Kind) {
    this.startsPipeline = true;
    this.isOnePipeline = false;
    this.chain = {};
    const { length } = this.commands;
    this.open.push({ kind, commands: length, part: length, isFed: this.isFed });
  }

  protected close() {
    const opened = this.open.pop()!;
    this.chain = {};
    if (opened.variable !== undefined) this.variables.set(opened.variable, [UNKNOWN]);
    this.afterGroup = opened;
  }

  protected endCommand() {
    const { words, assignments } = this.current;
    // zsh then runs a default program
    if (this.redirects && words.length === 0 && !this.afterGroup)
      throw new UnprovableText('it redirects without a command');
    this.redirects = false;
    if (words.length > 0 || assignments.length > 0) this.#push();
    for (const inner of this.inside) this.nestedIn.add(inner);
    this.commands.push(...this.inside.splice(0));
    if (this.commands.length > MAX_COMMANDS) throw new UnprovableText(`it has more than ${MAX_COMMANDS} commands`);
    this.current = { words: [], assignments: [] };
    this.templates = [];
    this.assigned = undefined;
  }

  #push() {
    const { words } = this.current;
    const isExpanded = this.templates.some((template, at) => template !== words[at]);
    const isInLoop = this.open.findLastIndex(({ kind }) => kind === 'do' || kind === 'while');
    const isInShell = this.open.findLastIndex(({ kind }) => kind === '(');
    this.commands.push({
      ...this.current,
      ...(changesFolder(words) && { chain: this.#isAloneInPipeline() ? this.chain : {} }),
      ...(isExpanded && { runs: this.fill(this.templates) }),
      ...(words[0] === '[' && { isUnlisted: true }),
      ...(isInLoop > isInShell && { repeats: true }),
      ...(this.isFed && { isFed: true }),
    });
    if (words.length === 0 && this.assigned) this.#remember(this.assigned);
    if (words[0] === 'read') for (const name of words.slice(1)) this.variables.set(name, [UNKNOWN]);
  }

  /** Elsewhere it may not have been set, or may be set again. */
  #remember({ name, word }: { name: string; word: Word }) {
    const isPlace = this.open.length === 0 && this.isSure && this.current.assignments.length === 1;
    const values = this.fill([word.template.slice(name.length + 1)]).flat();
    const isKnownHere = isPlace && this.depth === 0 && isSetOnce(this.text, name) && this.#isAloneInPipeline();
    const value = isCounter(this.text, name) ? SOME_NUMBER : UNKNOWN;
    this.variables.set(name, isKnownHere ? values : [value]);
  }

  #isAloneInPipeline(): boolean {
    const end = this.text.slice(this.at, this.at + 2);
    return this.startsPipeline && !/^\|(?!\|)|^&(?!&)/.test(end);
  }

  protected isInsideFed(): boolean {
    return this.startsFed || this.open.some(({ isFed }) => isFed);
  }
}
