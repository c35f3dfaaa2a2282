import { FOUND, isKnown, mayStartAsOption, OWN_PROCESS, SOME, SOME_NUMBER } from '../marks.ts';
import { type Option, optionsOf } from './options.ts';
import type { Program } from './program.ts';

export interface ReadOption {
  /** Its name in the lists. */
  name: string;
  /** undefined: not listed. */
  option: Option | undefined;
  /** The word it is in, and the characters that name it. */
  at: number;
  from: number;
  to: number;
  value: string | undefined;
  /** The word with the value. */
  valueAt: number;
}

export interface Arguments {
  options: ReadOption[];
  /** Positions of the operands. */
  operands: number[];
  /** Words that may be options: what a file glob finds, a value that starts with a dash. */
  unsure: number[];
  /** Of these, what a file glob finds among the operands. */
  globs: number[];
  /** Where `--` ended the options. */
  end: number | undefined;
}

/** How many words an unlisted option takes as its value: none or one. Only relevant for a deny. */
export type Assume = 'no values' | 'values';

const VANISHES = new RegExp(`^(?:${SOME_NUMBER}|${OWN_PROCESS}|${SOME})*$`);
const PLUS: Option = { name: '+', effect: 'plain', takes: 'nothing' };

export type Manner = Pick<Program, 'style' | 'camel' | 'endless' | 'plus'>;

/** Reads the words from `start` on. `chain`: the program and its parents, as far as their options apply. `ordered`: stops at the first operand. */
export function readArguments(
  words: string[],
  start: number,
  {
    chain,
    manner,
    ordered,
    assume = 'no values',
  }: { chain: Program[]; manner: Manner; ordered: boolean; assume?: Assume },
): Arguments {
  const read: Arguments = { options: [], operands: [], unsure: [], globs: [], end: undefined };
  const { style, camel: isCamel, endless: isEndless } = manner;
  const kind = style === 'words' || style === 'go' ? 'words' : 'letters';
  const isLoose = chain.some(({ others }) => others === 'plain') && assume === 'no values';
  let at = start;
  if (style === 'bundle' && /^[a-zA-Z]/.test(words[at] ?? '')) readCluster(words[at]!, 0);
  for (; at < words.length; at++) {
    const word = words[at]!;
    // after an unlisted option, it may be that option's value: `git grep -e -- --open-files-in-pager=x`
    if (word === '--' && !isEndless && !isOpenOption(at - 1)) {
      read.end = at;
      addOperands(at + 1);
      break;
    }
    if (mayStartAsOption(word)) {
      read.unsure.push(at);
      if (word.startsWith(FOUND)) read.globs.push(at);
      continue;
    }
    if (/^-./.test(word)) {
      if (kind === 'words' || word.startsWith('--')) readWhole(word);
      else readCluster(word, 1);
      continue;
    }
    if (manner.plus && word.startsWith('+')) {
      if (!/^\+[\w.-]+$/.test(word)) read.unsure.push(at);
      else read.options.push({ name: word, option: PLUS, at, from: 0, to: word.length, value: undefined, valueAt: at });
      continue;
    }
    if (ordered) {
      addOperands(at);
      break;
    }
    read.operands.push(at);
  }
  return read;

  function isOpenOption(index: number): boolean {
    const last = read.options.at(-1);
    return last?.at === index && last.option === undefined && last.value === undefined;
  }

  function addOperands(from: number): void {
    for (let index = from; index < words.length; index++) read.operands.push(index);
  }

  function find(name: string): Option | undefined {
    for (const program of chain) {
      const found = optionsOf(program, kind).find(name);
      if (found) return found;
    }
    return undefined;
  }

  function readWhole(word: string): void {
    const equals = word.indexOf('=');
    const to = equals === -1 ? word.length : equals;
    const name = normal(word.slice(0, to));
    if (!isKnown(name)) return void read.unsure.push(at);
    if (isNumber(name)) return;
    const option = find(name);
    const attached = equals === -1 ? undefined : word.slice(equals + 1);
    const place = at;
    const takesNext = attached === undefined && (option ? option.takes === 'value' : assume === 'values');
    const value = takesNext ? takeNext() : { value: attached, valueAt: place };
    // a flag with a value is something its list doesn't know
    const isSwitched = style === 'go' && /^(true|false)$/.test(attached ?? '');
    const isOdd = attached !== undefined && option?.takes === 'nothing' && !isSwitched;
    read.options.push({
      name,
      option: isOdd ? undefined : option,
      at: place,
      from: to > dashes(word) ? dashes(word) : 0,
      to,
      ...value,
    });
  }

  function dashes(word: string): number {
    return word.startsWith('--') ? 2 : 1;
  }

  function normal(name: string): string {
    if (style === 'go' && name.startsWith('--')) return name.slice(1);
    if (!isCamel || !name.startsWith('--')) return name;
    return name.replace(/(?<=[a-z\d])(?<!^--no)-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  }

  function readCluster(word: string, from: number): void {
    if (from === 1 && isNumber(word)) return;
    const place = at;
    for (let letter = from; letter < word.length; letter++) {
      const name = `-${word[letter]}`;
      if (!isKnown(name)) return void read.unsure.push(place);
      const option = find(name);
      const rest = word.slice(letter + 1);
      const one = { name, option, at: place, from: letter, to: letter + 1 };
      // where other letters are covered too, this one may be a flag, and a risky one may follow
      if (!option && isLoose) {
        read.options.push({ ...one, value: undefined, valueAt: place });
        continue;
      }
      if (!option) {
        const value = rest === '' && assume === 'values' ? takeNext() : { value: rest, valueAt: place };
        read.options.push({ ...one, ...value });
        return;
      }
      if (option.takes === 'nothing') {
        read.options.push({ ...one, value: undefined, valueAt: place });
        continue;
      }
      const isJoined = rest !== '' && from === 1 && style !== 'each';
      const value = isJoined || option.takes === 'attached' ? { value: rest, valueAt: place } : takeNext();
      read.options.push({ ...one, ...value });
      if (isJoined || option.takes === 'attached') return;
    }
    if (from === 0) at++;
  }

  function isNumber(word: string): boolean {
    return /^-\d+$/.test(word) && chain.some((program) => optionsOf(program, kind).hasNumbers);
  }

  /** What looks like an option is also read as one: the program may know better than the list. */
  function takeNext(): { value: string | undefined; valueAt: number } {
    const next = words[at + 1];
    const valueAt = at + 1;
    if (next === undefined) return { value: undefined, valueAt: at };
    // outside quotes, an empty number is no word at all
    const mayVary = mayStartAsOption(next) || VANISHES.test(next);
    const isValue = !mayVary && (!next.startsWith('-') || /^-\d*$/.test(next));
    if (!isValue) read.unsure.push(at + 1);
    if (isValue || next === '--') at++;
    return { value: next, valueAt };
  }
}
