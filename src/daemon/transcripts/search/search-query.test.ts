import { expect, it } from 'vitest';
import { parseSearchQuery, toMatch } from './search-query.ts';

const now = Date.parse('2026-11-16T12:00:00Z');
const parse = (text: string) => parseSearchQuery(text, { now, timeZone: 'UTC' });
const match = (text: string) => toMatch(parse(text), { goesOn: false });
const at = (text: string) => Date.parse(text);

it.each([
  ['flaky test', '"flaky" AND "test"'],
  ['"flaky test"', '"flaky test"'],
  ['"flaky test', '"flaky test"'],
  ['flaky -"known issue" -wip', '("flaky") NOT ("known issue" OR "wip")'],
  ['-known flaky', '("flaky") NOT ("known")'],
  ['rm -rf quokka', '"rm" AND "-rf" AND "quokka"'],
  ['find . -name quokka', '"find" AND "-name" AND "quokka"'],
  ['git commit --no-verify', '"git" AND "commit" AND "--no-verify"'],
  ['rm -rf', '"rm" AND "-rf"'],
  ['open file:///etc/hosts', '"open" AND "file:///etc/hosts"'],
  ['src/main.ts', '"src/main.ts"'],
  ['deploy*', '"deploy"*'],
  ['"deploy*"', '"deploy*"'],
  [
    'node:fs https://x.org/a TypeError: std::vector localhost:80',
    '"node:fs" AND "https://x.org/a" AND "TypeError:" AND "std::vector" AND "localhost:80"',
  ],
  ['a OR b NEAR(c) ^d "e"f', '"a" AND "OR" AND "b" AND "NEAR(c)" AND "^d" AND "e" AND "f"'],
  ['日本語 テスト', '"日本 本語" AND "テス スト"'],
  ['語', '"語"*'],
  ['Größe CAFÉ', '"Grösse" AND "CAFÉ"'],
  ['a"b\0c', '"a b c"'],
  ['!!! ... -', null],
  ['', null],
])('%s is searched as %s', (text, words) => {
  expect(match(text)).toBe(words && `body : (${words})`);
});

it.each([
  ['webhook', '"webhook"*'],
  ['"webhook"', '"webhook"'],
  ['user-profile', '"user-profile"*'],
  ['log', '"log"'],
  ['12345', '"12345"'],
  ['日本語', '"日本 本語"'],
  ['webhook -"old"', '("webhook"*) NOT ("old")'],
])('%s, with longer words, is searched as %s', (text, words) => {
  expect(toMatch(parse(text), { goesOn: true })).toBe(`body : (${words})`);
});

it('reports how it interpreted each part', () => {
  const read = (text: string) =>
    parse(text).read.map(({ kind, text: of, isPrefix }) => [kind, isPrefix ? `${of}…` : of]);
  expect(read('webhook "a b" --force src/x.ts project:app -known')).toEqual([
    ['word', 'webhook…'],
    ['phrase', '"a b"'],
    ['text', '--force…'],
    ['text', 'src/x.ts'],
    ['filter', 'project:app'],
    ['without', 'known'],
  ]);
});

it('parses filters, including repeated and quoted ones', () => {
  const query = parse(
    'bug project:App project:"my app" branch:main model:Opus tool:Bash,Edit file:src/a.ts kind:prompt,tool-output is:running',
  );
  expect(query).toMatchObject({
    terms: [{ kind: 'word', written: 'bug', match: 'bug', isPrefix: false }],
    project: ['app', 'my app'],
    branch: ['main'],
    model: ['opus'],
    tool: ['bash,edit'],
    file: ['src/a.ts'],
    kind: ['prompt', 'tool_output'],
    isRunning: true,
  });
  expect(query.filters.slice(0, 2)).toEqual([
    { name: 'project', value: 'App' },
    { name: 'project', value: 'my app' },
  ]);
});

it.each([
  ['after:2026-11-01', { after: at('2026-11-01') }],
  ['after:2026-11 before:2026-11-10', { after: at('2026-11-01'), before: at('2026-11-10') }],
  ['after:today', { after: at('2026-11-16') }],
  ['after:yesterday', { after: at('2026-11-15') }],
  ['after:2d after:36h', { after: at('2026-11-15T00:00Z') }],
  ['before:1w', { before: at('2026-11-09T12:00Z') }],
])('%s is %o', (text, expected) => expect(parse(text)).toMatchObject(expected));

it('does not treat inherited property names as filters', () => {
  expect(parse('constructor:x').terms).toMatchObject([{ match: 'constructor:x' }]);
});

it.each([
  ['projct:x', /no filter "projct:".* project:x.*"projct:x"/],
  ['porject:"a b"', /project:"a b"/],
  ['since:2026', /after:2026/],
  ['path:src', /file:src/],
  ['project:', /project: has no value\. .*project:groundcontrol/],
  ['is:done', /Unknown filter is:done.*is:running/],
  ['kind:prose', /Unknown kind:prose.*tool_output/],
  ['after:soon', /after:soon isn't a time.*after:7d/],
  ['before:2026-02-30', /before:2026-02-30 isn't a time/],
  ['-project:x', /-project:x\. Remove the minus/],
  [Array(70).fill('x').join(' '), /more than 64 words/],
])('%s is refused with a hint', (text, why) => expect(() => parse(text)).toThrow(why));
