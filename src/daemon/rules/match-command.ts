import type { Token } from './automaton.ts';
import type { CommandFacts } from './bash/command-facts.ts';
import type { ProvenCommand } from './bash/prove.ts';
import { asTyped } from './bash/simple-command.ts';
import { Glob } from './glob.ts';
import { InvalidPattern } from './invalid-pattern.ts';
import { FOUND, isKnown, knownStart, UNKNOWN, WORD_BREAK } from './marks.ts';
import { EMPTY_WORD, type PatternPart, parsePattern } from './parse-pattern.ts';
import { search } from './search.ts';
import type { Verdict } from './verdict.ts';

interface CommandGlob {
  glob: Glob;
  /** Its literal text, gaps marked, to see what it spells out. */
  spelled: string;
  /** A `*` in it stands inside a path (`src/*`). */
  hasPathGap: boolean;
  hasRelativePath: boolean;
  isLiteral: boolean;
}

export interface CommandMatcher {
  globs: Glob[];
  /** For allow. `exactly`: without a wildcard. */
  covers(command: ProvenCommand): { exactly: boolean } | undefined;
  /** Why this pattern, which reads as if it were about the command, does not cover it. */
  misses(command: ProvenCommand): string | undefined;
  /** For deny and ask: the text that matches, or could. For an allow that cannot be proven: whether it is about this at all. */
  catches(facts: CommandFacts): Caught;
}

export interface Caught {
  verdict: Verdict;
  text: string;
}

const GAP = '\u0004';

/**
 * A command pattern is matched word by word against what each simple command will be called with. `*` reaches over
 * words; in an allow a `*` that stands in a path (`cat src/*`) stays in its word. ` *` at the end also means no more words.
 */
export function commandMatcher(pattern: string, { wide }: { wide: boolean }): CommandMatcher {
  const globs = parsePattern(pattern, { words: true })
    .map((parts) => trimBreaks(parts, pattern))
    .flatMap((parts) => {
      const one = compile(parts, { pattern, wide });
      if (!endsInAnyWords(parts)) return [one];
      return [one, { ...compile(withoutAnyWords(parts), { pattern, wide }), isLiteral: false }];
    });
  const patterns = globs.map(({ glob }) => glob);
  return {
    globs: patterns,
    covers(command) {
      const sought = search(patterns, [command.text]);
      const found = sought && sought !== 'gave up' ? globs.find((one) => covers(one, command)) : undefined;
      return found && { exactly: found.isLiteral };
    },
    misses(command) {
      const about = globs.filter(
        ({ glob }) => glob.matches(command.text) || glob.matches(command.asOther ?? command.text),
      );
      return about.map((one) => shortfall(one, command)).find((reason) => reason !== undefined);
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
    return { many: part.many, stops: isBound ? WORD_BREAK + UNKNOWN + FOUND : '' };
  });
  return {
    glob: new Glob(tokens, pattern),
    spelled: WORD_BREAK + words.join(WORD_BREAK),
    hasPathGap: tokens.some((token) => typeof token === 'object' && token.many && token.stops !== ''),
    hasRelativePath: words.some((word) => isPath(word) && !/^(\/|~\/|[a-z]+:\/\/)/.test(word)),
    isLiteral: tokens.every((token) => typeof token === 'string'),
  };
}

function covers(one: CommandGlob, command: ProvenCommand): boolean {
  return one.glob.matches(command.text) && shortfall(one, command) === undefined;
}

function shortfall({ spelled, hasPathGap, hasRelativePath }: CommandGlob, command: ProvenCommand): string | undefined {
  const unspelled = command.spelled.find((word) => !spelled.includes(WORD_BREAK + word));
  if (unspelled !== undefined) return `\`${asTyped([unspelled])}\` is not covered by a wildcard`;
  if (hasRelativePath && command.isElsewhere) return 'its path is relative to another folder';
  const climbs = hasPathGap && command.words.some((word) => word.split('/').includes('..'));
  return climbs ? 'its path has `..` in it' : undefined;
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
  const piece = search(patterns, facts.pieces);
  if (piece) return { verdict: 'maybe', text: piece === 'gave up' ? '' : piece.text };
  const code = foreign.find((text) => globs.some((one) => mentions(text, one)));
  return code === undefined ? { verdict: 'no', text: '' } : { verdict: 'maybe', text: code };
}

/** Code in another language that names the program of the pattern may well call it. */
function mentions(code: string, { spelled }: CommandGlob): boolean {
  const [, program] = /^\0([\w.+-]{2,})(?:\0|$)/.exec(spelled) ?? [];
  if (program === undefined) return false;
  for (let at = code.indexOf(program); at !== -1; at = code.indexOf(program, at + 1)) {
    const around = `${code[at - 1] ?? ' '}${code[at + program.length] ?? ' '}`;
    if (!/[\w-]/.test(around)) return true;
  }
  return false;
}
