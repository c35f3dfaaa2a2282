import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidPattern } from '../invalid-pattern.ts';
import { FOUND, knownStart, UNKNOWN } from '../marks.ts';
import { parsePattern } from '../parse-pattern.ts';
import type { Token } from './automaton.ts';
import { Glob } from './glob.ts';

const star: Token = { many: true, stops: '' };
const one: Token = { many: false, stops: '' };
const inFolder: Token = { many: true, stops: '/' };

function globs(pattern: string): Glob[] {
  return parsePattern(pattern).map((parts) => {
    const tokens = parts.map((part) => (typeof part === 'string' ? part : { many: part.many, stops: '' }));
    return new Glob(tokens, pattern);
  });
}
const matches = (pattern: string, text: string) => globs(pattern).some((glob) => glob.matches(text));
const could = (tokens: Token[], text: string) => new Glob(tokens, '').couldMatch(text, knownStart(text));

/** A naive reference implementation, for short texts. */
function plainly(tokens: Token[], text: string): boolean {
  const [token, ...rest] = tokens;
  if (token === undefined) return text === '';
  if (typeof token === 'string') return text.startsWith(token) && plainly(rest, text.slice(token.length));
  const takes = text !== '' && !token.stops.includes(text[0]!);
  if (!token.many) return takes && plainly(rest, text.slice(1));
  return plainly(rest, text) || (takes && plainly(tokens, text.slice(1)));
}

/** As the parser produces them: text joined, no adjacent stars. */
function asParsed(tokens: Token[]): Token[] {
  const parsed: Token[] = [];
  for (const token of tokens) {
    const last = parsed.at(-1);
    if (typeof token === 'string' && typeof last === 'string') parsed[parsed.length - 1] = last + token;
    else if (!(typeof token === 'object' && typeof last === 'object' && token.many && last.many)) parsed.push(token);
  }
  return parsed;
}

describe('a glob', () => {
  it.each([
    ['Bash', 'Bash', true],
    ['Bash', 'bash', false],
    ['*', '', true],
    ['*', 'anything\nat all', true],
    ['mcp__github__*', 'mcp__github__list', true],
    ['mcp__github__*', 'mcp__gitlab__list', false],
    ['a*b*c', 'a1b2c', true],
    ['a*b*c', 'abc', true],
    ['a*b*c', 'acb', false],
    ['*ab', 'aab', true],
    ['*aab*', 'aaab', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['*?b?*', 'xbx', true],
    ['*?b?*', 'b', false],
    ['*a?a?b*', 'xxaxayb', true],
    ['ab*ba', 'aba', false],
    ['a|b', 'b', true],
    ['(a+)+$', 'aaaa', false],
  ])('%s on %j: %s', (pattern, text, expected) => expect(matches(pattern, text)).toBe(expected));

  const token = fc.oneof(
    fc.constantFrom<Token>(star, one, inFolder, { many: false, stops: '/' }),
    fc.string({ unit: fc.constantFrom('a', 'b', '/'), minLength: 1, maxLength: 3 }),
  );
  const tokens = fc.array(token, { minLength: 1, maxLength: 6 }).map(asParsed);
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 10 });

  it('matches what a plain matcher matches', () => {
    fc.assert(
      fc.property(tokens, text, (pattern, each) => {
        expect(new Glob(pattern, '').matches(each)).toBe(plainly(pattern, each));
      }),
      { numRuns: 3000 },
    );
  });

  it('works the same beyond one machine word', () => {
    fc.assert(
      fc.property(tokens, text, (pattern, each) => {
        const pad = 'b'.repeat(40);
        const long = [inFolder, pad, ...(typeof pattern[0] === 'string' ? [one] : []), ...pattern];
        const padded = `a${pad}a${each}`;
        expect(new Glob(long, '').matches(padded)).toBe(plainly(long, padded));
      }),
      { numRuns: 1000 },
    );
  });

  it('could match an unknown text if it matches one value of it', () => {
    fc.assert(
      fc.property(tokens, text, text, text, (pattern, start, value, end) => {
        if (!plainly(pattern, start + value + end)) return;
        expect(could(pattern, start + UNKNOWN + end)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('covers an unknown text only if it matches every value of it', () => {
    fc.assert(
      fc.property(tokens, text, text, text, (pattern, start, value, end) => {
        const stopped = pattern.map((each) =>
          typeof each === 'object' && (!each.many || each.stops) ? { ...each, stops: each.stops + UNKNOWN } : each,
        );
        if (!new Glob(stopped, '').matches(start + UNKNOWN + end)) return;
        expect(plainly(pattern, start + value + end)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('suspects the literal parts of a file glob, not its possible matches', () => {
    expect(could(['cat secret.pem'], `cat ${FOUND}.pem`)).toBe(true);
    expect(could([star, '.env', star], `cat .e${FOUND}`)).toBe(true);
    expect(could([star, '.env', star], `cat ${FOUND}env`)).toBe(true);
    expect(could([star, '.env', star], `ls ${FOUND}.ts`)).toBe(false);
    expect(could(['rm', star], `r${FOUND} x`)).toBe(true);
    expect(could(['rm', star], `ls ${FOUND}`)).toBe(false);
  });
});

describe('slow patterns', () => {
  const long = 'a'.repeat(60_000);
  it.each([
    ['*a*a*a*a*a*a*a*a*a*a*a*a*b', `${long}`],
    [`${'*a'.repeat(400)}*b*`, long],
    [`*${'a'.repeat(900)}b*`, long],
    [`*${'a?'.repeat(15)}b*`, long],
    [`*${'ab'.repeat(300)}c*`, 'ab'.repeat(30_000)],
    ['(a|a)*b', long],
    ['{a*,{a*,{a*,{a*,b*}}}}c', long],
  ])('%.30s ends', (pattern, text) => expect(matches(pattern, text)).toBe(false));

  it('refuses a pattern that could only be matched slowly', () => {
    expect(() => globs(`*${'a?'.repeat(30)}*`)).toThrow(InvalidPattern);
    expect(() => new Glob([inFolder, 'a'.repeat(300), inFolder], '')).toThrow(InvalidPattern);
  });
});
