import { describe, expect, it } from 'vitest';
import { InvalidPattern } from './invalid-pattern.ts';
import { WORD_BREAK } from './marks.ts';
import { parsePattern } from './parse-pattern.ts';

const show = (pattern: string, options = {}) =>
  parsePattern(pattern, options).map((parts) =>
    parts
      .map((part) =>
        typeof part === 'string' ? part.replaceAll(WORD_BREAK, '␣') : part.deep ? '<**>' : part.many ? '<*>' : '<?>',
      )
      .join(''),
  );

describe('patterns', () => {
  it.each([
    ['Bash', ['Bash']],
    ['*', ['<*>']],
    ['mcp__*__list_?', ['mcp__<*>__list_<?>']],
    ['Read|Grep|LS', ['Read', 'Grep', 'LS']],
    ['/w/**', ['/w/<**>']],
    ['*.{ts,tsx}', ['<*>.ts', '<*>.tsx']],
    ['{a,b}{c,d}', ['ac', 'ad', 'bc', 'bd']],
    ['{a,{b,c}}x', ['ax', 'bx', 'cx']],
    ['{a|b}c', ['ac', 'bc']],
    ['a,b', ['a,b']],
    ['{}', ['{}']],
    ['{a}', ['{a}']],
    ['a{b', ['a{b']],
    ['a}b', ['a}b']],
    ['{a,b', ['{a,b']],
    ['\\*\\?\\{a,b\\}\\|', ['*?{a,b}|']],
    ['a\\', ['a\\']],
    ['***', ['<**>']],
    ['[ab]', ['[ab]']],
    ['x{,.bak}', ['x', 'x.bak']],
  ])('%s', (pattern, expected) => expect(show(pattern)).toEqual(expected));

  it.each([
    ['npm run *', ['npm␣run␣<*>']],
    ['npm   run\t*', ['npm␣run␣<*>']],
    ['git commit -m "wip *"', ['git␣commit␣-m␣wip <*>']],
    ["grep 'a|b' x", ['grep␣a|b␣x']],
    ['echo "{a,b}"', ['echo␣{a,b}']],
    ["echo don't *", ["echo␣don't␣<*>"]],
    ['npm run *|grep *', ['npm␣run␣<*>', 'grep␣<*>']],
    ['X="a b"', ['X=a b']],
    ['a\\ b', ['a b']],
  ])('of words: %s', (pattern, expected) => expect(show(pattern, { words: true })).toEqual(expected));

  it.each([
    'a||b',
    '|',
    'a|',
    `{${'a,'.repeat(40)}b}`,
    '{a,b}'.repeat(6),
    `{${'x'.repeat(900)},${'y'.repeat(900)}}{a,b,c}`,
  ])('that are invalid are refused: %s', (pattern) => expect(() => parsePattern(pattern)).toThrow(InvalidPattern));
});
