import { hiddenCharacter } from '../../../contract/hidden-characters.ts';
import { FOUND, isKnown, UNKNOWN, WORD_BREAK } from '../marks.ts';
import { inFull } from '../programs/in-full.ts';
import { respell } from '../programs/respell.ts';
import { resolvePath, type Surroundings } from '../resolve-path.ts';
import { type Exposure, expose, programOf } from './expose.ts';
import type { ParseBash } from './grammar.ts';
import { type Proof, prove } from './prove.ts';
import { MAX_COMMAND, readStrictly } from './read-strictly.ts';
import { readTree, type TreeReading } from './read-tree.ts';
import { asText, type StrictCommand } from './simple-command.ts';

/** Up to this length, no pattern gives up on a command's text. */
const SURE_LENGTH = 10_000;

/** A total limit, for a command with a hundred scripts that are each slow to parse. */
const MAX_PARSING_MS = 100;

/** What can be said about a command line, computed on first use. */
export class CommandFacts {
  readonly command: string;
  readonly #parse: ParseBash;
  readonly #around: Surroundings;
  readonly #known = new Map<string, TreeReading[]>();
  #parsing = 0;
  #gaveUp = false;
  #proof: Proof | undefined;
  #exposure: Exposure | undefined;
  #texts: string[] | undefined;
  #suspects: string[] | undefined;
  #pieces: string[] | undefined;

  constructor(command: string, parse: ParseBash, around: Surroundings) {
    this.command = command;
    this.#parse = parse;
    this.#around = around;
  }

  /** Parsing hit its time limit, so less is known than could be. */
  get gaveUp(): boolean {
    return this.#gaveUp;
  }

  /** What will run, for an allow: exactly this, or why that can't be determined. */
  get proof(): Proof {
    this.#proof ??= prove(this.command, (text, commands) => this.#objection(text, commands));
    return this.#proof;
  }

  /** What may run, for a deny or ask. */
  get exposure(): Exposure {
    this.#exposure ??= this.#expose();
    return this.#exposure;
  }

  /** The texts a deny or ask is matched against: each command in every spelling, and the whole line. */
  get texts(): string[] {
    this.#texts ??= this.#spell().texts;
    return this.#texts;
  }

  /** What may also be a command: arguments of unknown programs. */
  get suspects(): string[] {
    this.#suspects ??= this.#spell().suspects;
    return this.#suspects;
  }

  /** Whatever could be a command if the parser misread the text. None if everything is proven. */
  get pieces(): string[] {
    this.#pieces ??= this.proof.commands && this.texts.every(isKnown) ? [] : piecesOf(this.command);
    return this.#pieces;
  }

  /** Whether a rule may apply without certainly applying. */
  get isUncertain(): boolean {
    const { foreign } = this.exposure;
    const isLong = this.texts.reduce((sum, text) => sum + text.length, 0) > SURE_LENGTH;
    return !this.proof.commands || foreign.length > 0 || isLong || !this.texts.every(isKnown);
  }

  #expose(): Exposure {
    if (this.command.length > MAX_COMMAND)
      return { commands: [], suspects: [], foreign: [], opaque: 'it is longer than 64 KB' };
    const exposure = expose(this.command, (text) => this.#readWidely(text));
    const hidden = hiddenCharacter(this.command);
    return hidden ? { ...exposure, opaque: `it contains the invisible character ${hidden}` } : exposure;
  }

  #readWidely(text: string): TreeReading | undefined {
    const strict = text.includes('<<') ? readStrictly(text) : undefined;
    if (strict?.unprovable !== undefined || !strict?.bare) return merged(this.#readings(text));
    const reading = merged(this.#readings(strict.bare.text));
    return reading && { ...reading, fed: [...reading.fed, ...strict.bare.fed] };
  }

  #objection(text: string, commands: StrictCommand[]): string | undefined {
    const readings = this.#readings(text);
    if (readings.length === 0) return 'it is too complex to parse';
    return readings.some((one) => agree(commands, one)) ? undefined : 'it can be read in more than one way';
  }

  /** The grammar treats a line continuation inside a word as two words, so it is also read joined. */
  #readings(text: string): TreeReading[] {
    const known = this.#known.get(text);
    if (known) return known;
    const texts = text.includes('\\\n') ? [text, text.replaceAll('\\\n', '')] : [text];
    const readings = texts.flatMap((each) => {
      if (this.#parsing > MAX_PARSING_MS) {
        this.#gaveUp = true;
        return [];
      }
      const start = performance.now();
      const root = this.#parse(each);
      this.#parsing += performance.now() - start;
      this.#gaveUp ||= !root;
      return root ? [readTree(root, each)] : [];
    });
    this.#known.set(text, readings);
    return readings;
  }

  #spell(): { texts: string[]; suspects: string[] } {
    const texts = new Set([asOneText(this.command)]);
    const suspects = new Set<string>();
    for (const words of this.exposure.commands) {
      const { same, perhaps } = respell(words);
      for (const text of this.#spellings([words, ...same])) texts.add(text);
      const full = inFull([programOf(words), ...words.slice(1)]);
      if (full !== undefined) texts.add(full);
      for (const text of this.#spellings(perhaps)) suspects.add(text);
    }
    for (const words of this.exposure.suspects) {
      const { same, perhaps } = respell(words);
      for (const text of this.#spellings([words, ...same, ...perhaps])) suspects.add(text);
    }
    this.#texts = [...texts];
    this.#suspects = [...suspects];
    return { texts: this.#texts, suspects: this.#suspects };
  }

  /** `/bin/RM ../x` is also `rm /w/x`. */
  #spellings(lists: string[][]): string[] {
    return lists.flatMap((words) => {
      const [first = '', ...rest] = words.map((word, at) => (at === 0 ? word.replaceAll(FOUND, UNKNOWN) : word));
      const named = [programOf([first]), ...rest];
      const resolved = named.map((word, at) => (at > 0 && /^~|\/|^\.\.?$/.test(word) ? this.#resolve(word) : word));
      return [[first, ...rest], named, resolved].map((each) => asText({ words: each }));
    });
  }

  #resolve(word: string): string {
    const { written } = resolvePath(word, { ...this.#around, realPath: (path) => path });
    return written;
  }
}

function merged(readings: TreeReading[]): TreeReading | undefined {
  if (readings.length < 2) return readings[0];
  return {
    commands: readings.flatMap(({ commands }) => commands),
    fed: readings.flatMap(({ fed }) => fed),
    hasError: readings.some(({ hasError }) => hasError),
  };
}

/** Two independent parsers: what one misreads, the other is unlikely to misread in the same way. */
function agree(all: StrictCommand[], reading: TreeReading): boolean {
  const commands = all.filter(({ isUnlisted }) => !isUnlisted);
  if (reading.hasError || reading.commands.length !== commands.length) return false;
  return commands.every((command, at) => {
    const other = reading.commands[at]!;
    // to the grammar, `time` is a command like any other
    const untimed = { words: other.words.slice(other.words[1] === '-p' ? 2 : 1) };
    return (
      (asText(command) === asText(other) || (other.words[0] === 'time' && asText(command) === asText(untimed))) &&
      command.assignments.length === other.assignments.length &&
      command.assignments.every(({ name }, index) => name === other.assignments[index]!.name)
    );
  });
}

function asOneText(command: string): string {
  return command.slice(0, MAX_COMMAND).trim().split(/\s+/).join(WORD_BREAK);
}

function piecesOf(command: string): string[] {
  return command
    .slice(0, MAX_COMMAND)
    .split(/[;&|\n`(){}<>]+|\$\(/)
    .map((piece) => asOneText(piece.replace(/["'\\$]/g, '').replace(/^(\s*\w+=\S*\s)+/, '')))
    .filter((piece) => piece !== '');
}
