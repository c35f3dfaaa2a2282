import { InvalidPattern } from '../invalid-pattern.ts';
import { UNKNOWN } from '../marks.ts';
import { Automaton, type Gap, type Token } from './automaton.ts';
import { GlobSegment, MAX_WITH_GAPS } from './glob-segment.ts';

/** How much of a pattern may lie between wildcards with stops, so no text makes it slow. */
const MAX_BETWEEN_STOPS = 250;
/** How much of a text is inspected if parts of it are unknown; the rest counts as unknown too. */
const MAX_UNSURE = 4096;

/** One alternative of a pattern, compiled once. */
export class Glob {
  readonly tokens: Token[];
  /** What every match starts with. */
  readonly prefix: string;
  /** The only text it matches, if it has no wildcard. */
  readonly literal: string | undefined;
  /** Work per character of text, once the start matches. */
  readonly cost: number;
  readonly #matches: (text: string) => boolean;
  #whole: Automaton | undefined;

  constructor(tokens: Token[], pattern: string) {
    this.tokens = tokens;
    this.prefix = typeof tokens[0] === 'string' ? tokens[0] : '';
    this.literal = tokens.every((token) => typeof token === 'string') ? tokens.join('') : undefined;
    const stars = tokens.filter((token): token is Gap => typeof token === 'object' && token.many);
    const matcher = stars.every(({ stops }) => stops === '') ? bySegments(tokens, pattern) : byPlaces(tokens, pattern);
    this.#matches = matcher.matches;
    this.cost = matcher.cost;
  }

  matches(text: string): boolean {
    return this.literal === undefined ? this.#matches(text) : text === this.literal;
  }

  /** Whether some value of the text's unknown parts would make it match. `known` is what precedes them. */
  couldMatch(text: string, known: string): boolean {
    if (!known.startsWith(this.prefix) && !this.prefix.startsWith(known)) return false;
    this.#whole ??= new Automaton(this.tokens);
    const seen = text.length <= MAX_UNSURE ? text : text.slice(0, MAX_UNSURE) + UNKNOWN;
    return this.#whole.matches(seen, { couldBe: true });
  }
}

interface Matcher {
  matches(text: string): boolean;
  cost: number;
}

/** With stars that have no stops, the first position where each segment fits is as good as any. */
function bySegments(tokens: Token[], pattern: string): Matcher {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (typeof token === 'object' && token.many) parts.push([]);
    else parts.at(-1)!.push(token);
  }
  const [head, ...rest] = parts.map((part) => new GlobSegment(part));
  const tail = rest.pop();
  if (rest.some(({ hasGaps, length }) => hasGaps && length > MAX_WITH_GAPS)) {
    throw new InvalidPattern(pattern, `has \`?\` among more than ${MAX_WITH_GAPS} characters between two \`*\``);
  }
  if (!tail) return { matches: (text) => text.length === head!.length && head!.matchesAt(text, 0), cost: 0 };
  const between = rest.filter(({ length }) => length > 0);
  const matches = (text: string) => {
    const end = text.length - tail.length;
    let at = head!.length;
    if (end < at || !head!.matchesAt(text, 0) || !tail.matchesAt(text, end)) return false;
    for (const segment of between) {
      at = segment.findEnd(text, at, end);
      if (at === -1) return false;
    }
    return true;
  };
  return { matches, cost: between.length > 0 ? 1 : 0 };
}

/** A star with stops may have to take more or less than first assumed, so every position is tracked. */
function byPlaces(tokens: Token[], pattern: string): Matcher {
  const prefix = typeof tokens[0] === 'string' ? tokens[0] : '';
  const last = tokens.at(-1);
  const suffix = typeof last === 'string' ? last : '';
  const middle = tokens.slice(prefix ? 1 : 0, suffix ? -1 : undefined);
  const size = middle.reduce((sum, token) => sum + (typeof token === 'string' ? token.length : 1), 0);
  if (size > MAX_BETWEEN_STOPS) {
    throw new InvalidPattern(pattern, `has more than ${MAX_BETWEEN_STOPS} characters between its wildcards`);
  }
  const automaton = new Automaton(middle);
  const matches = (text: string) => {
    if (text.length < prefix.length + suffix.length) return false;
    if (!text.startsWith(prefix) || !text.endsWith(suffix)) return false;
    return automaton.matches(text, { from: prefix.length, to: text.length - suffix.length });
  };
  return { matches, cost: Math.ceil(size / 32) };
}
