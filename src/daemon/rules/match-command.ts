import type { CommandFacts } from './bash/command-facts.ts';
import type { ProvenCommand } from './bash/prove.ts';
import { asText, asTyped } from './bash/simple-command.ts';
import type { Token } from './glob/automaton.ts';
import { Glob } from './glob/glob.ts';
import { search } from './glob/search-globs.ts';
import { InvalidPattern } from './invalid-pattern.ts';
import { FOUND, GAP, isKnown, knownStart, SOME, UNKNOWN, WORD_BREAK } from './marks.ts';
import type { Match } from './match.ts';
import { EMPTY_WORD, type PatternPart, parsePattern } from './parse-pattern.ts';
import type { Risk } from './programs/find-risks.ts';
import { patternInFull } from './programs/in-full.ts';

interface CommandGlob {
  glob: Glob;
  /** Its literal text, gaps marked, to see what it spells out. */
  spelled: string;
  /** Where a `*` is inside a path: the folder before it (`src` in `src/*`). */
  pathGaps: string[];
  hasRelativePath: boolean;
  isLiteral: boolean;
}

/** Where the command will run. */
export interface WorkingFolder {
  /** Whether a folder is the one the command runs in anyway. */
  isHere(folder: string): boolean;
  /** Whether a folder is in the project. */
  isInside(folder: string): boolean;
  /** Whether a rule allows `cd` to it. */
  mayEnter(folder: string): boolean;
  /** Whether no file where the command runs has a name that starts with a dash. */
  hasPlainNames(command: ProvenCommand): boolean;
  /** Whether the branch that is checked out where the command runs has a name that starts with no dash. */
  hasPlainBranch(command: ProvenCommand): boolean;
  /** Whether a path leads out of its starting folder through a link. */
  leavesFolder(path: string, folder: string): boolean;
}

export interface CommandMatcher {
  /** What a command must look like for this pattern to be worth trying. */
  filedUnder: Glob[];
  /** For allow. `exactly`: without a wildcard. */
  covers(command: ProvenCommand, cwd: WorkingFolder): { exactly: boolean } | undefined;
  /** Why this pattern, which seems to be about the command, doesn't cover it. */
  misses(command: ProvenCommand, cwd: WorkingFolder): string | undefined;
  /** For deny and ask: the text that matches, or could. For an unprovable allow: whether it is about this at all. */
  catches(facts: CommandFacts): Caught;
}

export interface Caught {
  verdict: Match;
  text: string;
}

/** No pattern spells this out. */
const OTHER = '\u0005';

const EFFECTS: Record<Risk['effect'], string> = {
  runs: 'can run something else, which a wildcard does not cover',
  writes: 'can write files, which a wildcard does not cover',
  deletes: 'can delete files, which a wildcard does not cover',
  moves: 'works in another folder, which a wildcard does not cover',
  unknown: 'is not known to be harmless, so a wildcard does not cover it',
};

/**
 * A command pattern is matched word by word against each simple command's arguments. `*` spans words; in an allow, a `*` inside a path
 * (`cat src/*`) stays within its word. A trailing ` *` also matches no more words.
 */
export function commandMatcher(pattern: string, { wide }: { wide: boolean }): CommandMatcher {
  const globs = parsePattern(pattern, { words: true })
    .map((parts) => trimBreaks(parts, pattern))
    .flatMap((parts) => [parts, ...(wide ? [] : withArguments(parts))])
    .flatMap((parts) => {
      const one = compile(parts, { pattern, wide });
      const shorter = endsInAnyWords(parts)
        ? [{ ...compile(withoutAnyWords(parts), { pattern, wide }), isLiteral: false }]
        : [];
      return [one, ...shorter, ...(wide ? compileInFull(one, pattern) : [])];
    });
  const patterns = globs.map(({ glob }) => glob);
  return {
    filedUnder: wide ? [...patterns, ...patterns.flatMap((glob) => beforeOption(glob, pattern))] : patterns,
    covers(command, cwd) {
      const readings = readingsOf(command, cwd);
      const sought = search(
        patterns,
        readings.map(({ words }) => asText({ words })),
      );
      if (!sought || sought === 'gave up') return undefined;
      const found = globs.find((one) => readings.some((reading) => covers(one, reading, command, cwd)));
      return found && { exactly: found.isLiteral };
    },
    misses(command, cwd) {
      const readings = readingsOf(command, cwd);
      for (const one of globs) {
        for (const reading of readings) {
          if (!one.glob.matches(asText(reading))) continue;
          const reason = shortfall(one, reading, command, cwd);
          if (reason !== undefined) return reason;
        }
        const { asOther } = command;
        if (asOther !== undefined && one.glob.matches(asOther)) return reasonFor(command.risks[0]!, command.words);
      }
      return undefined;
    },
    catches: (facts) => catches(globs, facts, { wide }),
  };
}

function trimBreaks(parts: PatternPart[], pattern: string): PatternPart[] {
  const trimmed = parts
    .map((part, at) => {
      if (typeof part !== 'string') return part;
      const single = part.replace(/\0+/g, WORD_BREAK);
      const start = at === 0 ? single.replace(/^\0/, '') : single;
      return (at === parts.length - 1 ? start.replace(/\0$/, '') : start).replaceAll(EMPTY_WORD, '');
    })
    .filter((part) => part !== '');
  if (trimmed.length === 0) throw new InvalidPattern(pattern, 'has an empty alternative');
  return trimmed;
}

function endsInAnyWords(parts: PatternPart[]): boolean {
  const last = parts.at(-1);
  const before = parts.at(-2);
  return typeof last === 'object' && last.many && typeof before === 'string' && before.endsWith(WORD_BREAK);
}

/** `vendor/bin/phpunit*` is meant like `phpunit*`: with arguments, too. Its `*` alone would stay within the path. */
function withArguments(parts: PatternPart[]): PatternPart[][] {
  const [name, gap, ...rest] = parts;
  const isProgram = typeof name === 'string' && /^[^\0]*\/[^\0/]+$/.test(name);
  return isProgram && typeof gap === 'object' && gap.many && rest.length === 0 ? [[name + WORD_BREAK, gap]] : [];
}

function withoutAnyWords(parts: PatternPart[]): PatternPart[] {
  const before = parts.at(-2) as string;
  return [...parts.slice(0, -2), before.slice(0, -1)];
}

function compile(parts: PatternPart[], { pattern, wide }: { pattern: string; wide: boolean }): CommandGlob {
  const words = parts
    .map((part) => (typeof part === 'string' ? part : GAP))
    .join('')
    .split(WORD_BREAK);
  const isPath = (word: string) => word.includes('/');
  let at = 0;
  const tokens = parts.map((part): Token => {
    if (typeof part === 'string') {
      at += part.split(WORD_BREAK).length - 1;
      return part;
    }
    const isBound = !part.many || (!wide && isPath(words[at]!));
    return { many: part.many, stops: isBound ? WORD_BREAK + UNKNOWN + FOUND + SOME : '' };
  });
  return {
    glob: new Glob(tokens, pattern),
    spelled: WORD_BREAK + words.join(WORD_BREAK),
    pathGaps: wide ? [] : words.filter((word) => word.includes(GAP) && isPath(word)).map(folderBefore),
    // a build tool's wrapper does the same in each folder of the project
    hasRelativePath: words.some(
      (word) => isPath(word) && !/^(\/|~\/|[a-z]+:\/\/|\.\/(gradlew|mvnw)$)/.test(word.replaceAll(GAP, '')),
    ),
    isLiteral: tokens.every((token) => typeof token === 'string'),
  };
}

/** The literal folder before a wildcard: `src` in `src/a*`, `.` in `*\/x`. */
function folderBefore(word: string): string {
  const literal = word.slice(0, word.indexOf(GAP));
  return literal.includes('/') ? literal.slice(0, literal.lastIndexOf('/')) || '/' : '.';
}

interface Reading {
  words: string[];
  risks: Risk[];
  /** Options that only say how something is shown are left out. */
  isBare?: true;
}

/** A command as typed, and without the harmless options before its subcommand, which gets its full name. */
function readingsOf(command: ProvenCommand, cwd: WorkingFolder): Reading[] {
  // `wc -l < file` is as good as `wc -l file`
  const { words, risks, droppable, display, renamed, isElsewhere, reads = [] } = command;
  const isHere = ({ folder, nests, enters, isGlob, isBranch }: Risk) => {
    if (isGlob) return cwd.hasPlainNames(command);
    if (isBranch) return cwd.hasPlainBranch(command);
    if (folder === undefined || (isElsewhere && !folder.startsWith('/'))) return false;
    if (cwd.isHere(folder) || (nests === true && cwd.isInside(folder))) return true;
    return enters === true && cwd.isInside(folder) && cwd.mayEnter(folder);
  };
  const real = risks.filter((risk) => !isHere(risk));
  const typed = { words: [...words, ...reads], risks: real };
  const mayDrop = !real.some(({ at }) => droppable.includes(at));
  const dropped = mayDrop ? droppable : [];
  const isBare = real.length === 0 && display.length > 0;
  const bare = isBare
    ? [{ words: [...words.filter((_, at) => !display.includes(at)), ...reads], risks: [], isBare }]
    : [];
  if (dropped.length === 0 && renamed.length === 0) return [typed, ...bare];
  const kept = words.map((_, at) => at).filter((at) => !dropped.includes(at));
  const moved = (at: number) => kept.indexOf(at);
  const nameAt = (at: number) => renamed.find((one) => one.at === at)?.to ?? words[at]!;
  const plain = {
    words: [...kept.map(nameAt), ...reads],
    risks: real.map((risk) => ({ ...risk, at: moved(risk.at), program: moved(risk.program) })),
  };
  return [typed, plain, ...bare];
}

/** A deny of `rm -rf *` also applies to `rm -fr x` and `rm x --recursive -f`. */
function compileInFull({ spelled }: CommandGlob, pattern: string): CommandGlob[] {
  const text = patternInFull(spelled.slice(1).split(WORD_BREAK));
  if (text === undefined) return [];
  const tokens = text.split(GAP).flatMap((literal, at): Token[] => {
    const gap: Token[] = at === 0 ? [] : [{ many: true, stops: '' }];
    return literal === '' ? gap : [...gap, literal];
  });
  return [{ glob: new Glob(tokens, pattern), spelled, pathGaps: [], hasRelativePath: false, isLiteral: false }];
}

function covers(one: CommandGlob, reading: Reading, command: ProvenCommand, cwd: WorkingFolder): boolean {
  // `gh api repos/*` is about a path, whatever is shown of it
  if (reading.isBare && one.pathGaps.length === 0) return false;
  return one.glob.matches(asText(reading)) && shortfall(one, reading, command, cwd) === undefined;
}

function shortfall(one: CommandGlob, reading: Reading, command: ProvenCommand, cwd: WorkingFolder): string | undefined {
  const { isElsewhere } = command;
  const { words, risks } = reading;
  const risk = risks.find((each) => isGuarded(one, words, each) && !spells(one, words, each));
  if (risk) return reasonFor(risk, words);
  const hasMoved = isElsewhere || risks.some(({ effect }) => effect === 'moves');
  if (one.hasRelativePath && hasMoved) return 'its path is relative to another folder';
  if (one.pathGaps.length === 0) return undefined;
  if (words.some((word) => word.split('/').includes('..'))) return 'its path has `..` in it';
  // `http://localhost:80@elsewhere` also starts with `http://localhost:`
  if (one.pathGaps.some(isAddress) && words.some(namesAnotherHost)) return 'its address may name another host';
  const folders = one.pathGaps.filter((folder) => !isAddress(folder));
  const leaves = words.some((word) => folders.some((folder) => cwd.leavesFolder(word, folder)));
  return leaves ? 'its path leads elsewhere through a link' : undefined;
}

function isAddress(start: string): boolean {
  return /^[a-z][\w+.-]*:\/(\/|$)/i.test(start);
}

function namesAnotherHost(word: string): boolean {
  const [, host] = /^[a-z][\w+.-]*:\/\/([^/?#]*)/i.exec(word) ?? [];
  return host !== undefined && /[@\\[\]{}%]/.test(host);
}

/** A program's arguments are guarded if the pattern names the program: `npx vitest *`, but not `npx *`. */
function isGuarded(one: CommandGlob, words: string[], { program, effect }: Risk): boolean {
  if (program === 0 && effect !== 'unknown') return true;
  return spells(one, words, { at: program, from: 0, to: words[program]!.length });
}

/** Whether the pattern matches because of these characters, and not regardless of them. */
function spells({ glob }: CommandGlob, words: string[], { at, from, to }: Pick<Risk, 'at' | 'from' | 'to'>): boolean {
  const word = words[at]!;
  const other = words.with(at, `${word.slice(0, from)}${OTHER.repeat(to - from)}${word.slice(to)}`);
  return !glob.matches(asText({ words: other }));
}

function reasonFor({ at, from, to, effect }: Risk, words: string[]): string {
  const word = words[at]!;
  const [dashes = ''] = /^-{0,2}/.exec(word) ?? [];
  // one letter of several is shown as the option it is
  const shown = `${dashes.slice(0, from)}${word.slice(from, to)}`;
  return `\`${asTyped([shown])}\` ${EFFECTS[effect]}`;
}

function catches(globs: CommandGlob[], facts: CommandFacts, { wide }: { wide: boolean }): Caught {
  const patterns = globs.map(({ glob }) => glob);
  const found = search(patterns, facts.texts);
  if (found === 'gave up') return { verdict: 'maybe', text: '' };
  if (found) return { verdict: 'yes', text: found.text };
  const { opaque, foreign } = facts.exposure;
  if (opaque !== undefined) return { verdict: 'maybe', text: '' };
  for (const text of facts.texts) {
    const known = knownStart(text);
    if (!isKnown(text) && globs.some(({ glob }) => glob.couldMatch(text, known))) return { verdict: 'maybe', text };
  }
  if (!wide) return { verdict: 'no', text: '' };
  const completed = search(patterns, completeOptions(globs, facts.texts));
  if (completed) return { verdict: 'maybe', text: completed === 'gave up' ? '' : completed.text };
  const suspect = search(patterns, facts.suspects);
  if (suspect) return { verdict: 'maybe', text: suspect === 'gave up' ? '' : suspect.text };
  const piece = search(patterns, facts.pieces);
  if (piece) return { verdict: 'maybe', text: piece === 'gave up' ? '' : piece.text };
  const code = foreign.find((text) => globs.some((one) => mentions(text, one)));
  return code === undefined ? { verdict: 'no', text: '' } : { verdict: 'maybe', text: code };
}

/** `git reset --hard *` is also tried on `git reset --har`. */
function beforeOption({ prefix }: Glob, pattern: string): Glob[] {
  const at = prefix.indexOf(`${WORD_BREAK}--`);
  return at <= 0 ? [] : [new Glob([prefix.slice(0, at + 3), { many: true, stops: '' }], pattern)];
}

/** Most programs accept `--har` for `--hard`, if it is unambiguous. */
function completeOptions(globs: CommandGlob[], texts: string[]): string[] {
  const named = new Set(globs.flatMap(({ spelled }) => spelled.match(/--[a-z][\w-]+/g) ?? []));
  if (named.size === 0) return [];
  return texts.flatMap((text) => {
    const words = text.split(WORD_BREAK);
    const full = words.map(
      (word) => (/^--[\w-]{2,}$/.test(word) && [...named].find((one) => one.startsWith(word))) || word,
    );
    return full.some((word, at) => word !== words[at]) ? [full.join(WORD_BREAK)] : [];
  });
}

/** Code in another language that names the pattern's program may well call it. */
function mentions(code: string, { spelled }: CommandGlob): boolean {
  const [, program] = /^\0([\w.+-]{2,})(?:\0|$)/.exec(spelled) ?? [];
  if (program === undefined) return false;
  for (let at = code.indexOf(program); at !== -1; at = code.indexOf(program, at + 1)) {
    const around = `${code[at - 1] ?? ' '}${code[at + program.length] ?? ' '}`;
    if (!/[\w-]/.test(around)) return true;
  }
  return false;
}
