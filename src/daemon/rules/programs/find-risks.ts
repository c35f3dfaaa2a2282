import { CURRENT_BRANCH, isKnown, mayStartAsOption, UNKNOWN } from '../marks.ts';
import { isHarmlessName } from './harmless-names.ts';
import { innerCommand } from './inner-command.ts';
import { type Level, readLevels } from './levels.ts';
import { SCRIPT_ARGUMENTS } from './node.ts';
import { optionsOf } from './options.ts';
import type { Program } from './program.ts';
import { type Arguments, type ReadOption, readArguments } from './read-arguments.ts';
import { programNamed } from './table.ts';

/** Part of a command that a wildcard doesn't cover. */
export interface Risk {
  /** The word, and the characters in it a pattern has to spell out. */
  at: number;
  from: number;
  to: number;
  effect: 'runs' | 'writes' | 'deletes' | 'moves' | 'unknown';
  /** Where its program is named. */
  program: number;
  /** Not a risk if this is the folder the command runs in anyway. */
  folder?: string;
  /** Nor if it is a folder of the project. */
  nests?: true;
  /** Nor if that is allowed and `cd` to it is, too. */
  enters?: true;
  /** Not a risk if no file here has a name like an option. */
  isGlob?: true;
  /** Nor if the current branch has no such name. */
  isBranch?: true;
}

export interface Judged {
  risks: Risk[];
  /** Harmless options before the subcommand: `git --no-pager log` is `git log`. */
  droppable: number[];
  /** Options that only say how something is shown, and their values. */
  display: number[];
  /** Subcommands by their full names: `npm i` is `npm install`. */
  renamed: { at: number; to: string }[];
}

/** Options that mean the same in every program. */
const UNIVERSAL = /^(--(help|version|verbose|quiet|silent|json|debug|dry-run|color|no-color)|-(help|version)|-[hvqV])$/;
const SHOWS =
  /^(-q|--jq|--paginate|--slurp|--include|--silent|--quiet|--json|--no-color|--color|--pretty|--format|--oneline|--stat|--verbose|-v)$/;
const MAX_DEPTH = 6;
const RISKY_NAMES = ['letters', 'words'] as const;

/** Which parts of a command a wildcard doesn't cover, down to the last program it launches. */
export function findRisks(words: string[]): Judged {
  const judged: Judged = { risks: [], droppable: [], display: [], renamed: [] };
  judgeFrom(0, { depth: 0, isFile: false });
  return judged;

  function judgeFrom(at: number, { depth, isFile }: { depth: number; isFile: boolean }): void {
    const program = depth > MAX_DEPTH ? undefined : programNamed(words[at]!);
    if (!program) {
      judgeUnknown(at, isFile);
      return;
    }
    for (const level of readLevels(words, at, program)) {
      const { chain, read, next, inFull } = level;
      if (next !== undefined && inFull !== undefined) judged.renamed.push({ at: next, to: inFull });
      if (level.program.spelled) addWord(level.at, 'runs', at);
      for (const option of read.options) {
        const isLetters = /^(-[A-Za-z\d]+|--[a-z-]+)$/.test(words[option.at]!);
        const onlyShows = (level.program.free === 'reads' && isLetters) || SHOWS.test(option.name);
        if (onlyShows && isPlain(chain, option)) judged.display.push(option.at, option.valueAt);
      }
      if (level.program.free) return;
      judgeArguments(chain, read, at);
      if (next === undefined) judgeLaunch(level, { at, depth });
      else drop(level, next);
    }
  }

  function judgeArguments(chain: Program[], read: Arguments, program: number): void {
    for (const option of read.options) {
      if (isPlain(chain, option)) continue;
      const { at, from, to, value } = option;
      const effect = option.option?.effect ?? 'unknown';
      const risk: Risk = { at, from, to, effect: effect === 'plain' ? 'unknown' : effect, program };
      const nests = chain.some((each) => each.nests);
      const isFolder = effect === 'moves' && value !== undefined && isKnown(value);
      const enters = chain.some((each) => each.enters);
      judged.risks.push(
        isFolder ? { ...risk, folder: value, ...(nests && { nests }), ...(enters && { enters }) } : risk,
      );
    }
    for (const at of read.unsure) {
      addWord(at, 'unknown', program);
      if (words[at]!.startsWith(CURRENT_BRANCH)) judged.risks.at(-1)!.isBranch = true;
      if (read.globs.includes(at) && takesFiles(chain[0]!)) judged.risks.at(-1)!.isGlob = true;
    }
    const { operands, options } = read;
    const { judge, seesUnknown } = chain[0]!;
    if (!judge) return;
    for (const { at, effect } of judge({ words, operands, options })) addWord(at, effect, program);
    // it can't be checked against a word that only the shell knows
    if (seesUnknown) return;
    for (const at of operands) if (words[at]!.includes(UNKNOWN)) addWord(at, 'unknown', program);
  }

  function judgeLaunch(level: Level, { at, depth }: { at: number; depth: number }): void {
    const { launch } = level.program;
    if (!launch) return;
    const inner = launch.self ? { at: level.at, isModule: false } : innerCommand(launch, level.read, words);
    if (!inner) return;
    if (launch.shell) {
      for (let word = inner.at; word < words.length; word++) {
        if (!/^[\w@%+=:,./-]+$/.test(words[word]!)) addWord(word, 'runs', inner.at);
      }
    }
    if (!launch.transparent && !launch.skip && !launch.shell && !launch.self) drop(level, inner.at);
    const isScript = launch.script !== undefined && launch.script !== 'file' && !inner.isModule;
    if (isScript) judgeScript(inner.at, at);
    if (isScript && (launch.script === 'script' || !programNamed(words[inner.at]!))) return;
    judgeFrom(inner.at, { depth: depth + 1, isFile: launch.script === 'file' && !inner.isModule });
  }

  function judgeScript(at: number, program: number): void {
    const chain = [SCRIPT_ARGUMENTS];
    judgeArguments(chain, readArguments(words, at + 1, { chain, manner: SCRIPT_ARGUMENTS, ordered: false }), program);
  }

  /** Nothing is known about its options, so a wildcard covers only those whose names can't mean harm. */
  function judgeUnknown(at: number, isFile: boolean): void {
    if (isFile || isOwnFile(words[at]!)) return;
    for (let word = at + 1; word < words.length; word++) {
      const text = words[word]!;
      const mayBeOption = mayStartAsOption(text) || /^[-+]./.test(text);
      const [, name = text, value] = /^(--[^=]+)=(.*)$/s.exec(text) ?? [];
      const isHarmless = text === '--' || UNIVERSAL.test(text) || isHarmlessName(name, value);
      if (mayBeOption && !isHarmless) addWord(word, 'unknown', at);
    }
  }

  function addWord(at: number, effect: Risk['effect'], program: number): void {
    const word = words[at]!;
    const dashes = /^-*(?=.)/.exec(word)?.[0].length ?? 0;
    judged.risks.push({ at, from: dashes, to: word.length, effect, program });
  }

  function drop({ chain, read }: Level, next: number): void {
    if (read.unsure.length > 0) return;
    for (const option of read.options) {
      if (!isPlain(chain, option) && option.option?.effect !== 'moves') continue;
      judged.droppable.push(option.at);
      if (option.valueAt > option.at && option.valueAt < next) judged.droppable.push(option.valueAt);
    }
  }
}

function isPlain(chain: Program[], { name, option, value }: ReadOption): boolean {
  const harmless = chain.map((program) => program.harmless?.[name]).find((pattern) => pattern !== undefined);
  const isLast = value === undefined && option?.takes === 'value';
  if ((value !== undefined || isLast) && isKnown(value ?? '') && harmless?.test(value ?? '')) return true;
  if (!option) {
    const isCovered = chain.some(({ others }) => others === 'plain') || isHarmlessHere(chain[0]!, name, value);
    return isCovered && !chain.some((each) => isShortFor(name, each));
  }
  return option.effect === 'plain' || (option.effect === 'writes' && value === '/dev/null');
}

/** Whatever files it is given, they are files to it, and not a script or a command. */
function takesFiles({ judge, launch, ordered, subcommands, otherwise, language }: Program): boolean {
  return !judge && !launch && !ordered && !subcommands && !otherwise && !language;
}

/** Before a subcommand or a launched command, the next word may be the option's value, and the command another one. */
function isHarmlessHere({ subcommands, otherwise, launch, ordered }: Program, name: string, value?: string): boolean {
  if (subcommands || otherwise || launch || ordered) return false;
  return UNIVERSAL.test(name) || isHarmlessName(name, value);
}

/** Many programs complete unique prefixes: `--outp` is `--output`. */
function isShortFor(name: string, program: Program): boolean {
  return (
    !program.exact &&
    name.length > 2 &&
    RISKY_NAMES.some((kind) => optionsOf(program, kind).risky.some((each) => each.startsWith(name)))
  );
}

/** A project file called by its relative path. What is below `node_modules` or `vendor` belongs to someone else. */
function isOwnFile(name: string): boolean {
  const isInside = /^(\.\/)?[\w@+-][\w.@+-]*(\/[\w@+-][\w.@+-]*)*$/.test(name);
  return isInside && name.includes('/') && !/node_modules|vendor/.test(name);
}
