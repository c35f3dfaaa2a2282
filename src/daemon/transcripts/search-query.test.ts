import { expect, it } from 'vitest';
import { parseSearchQuery, toMatch } from './search-query.ts';

const now = Date.parse('2026-11-16T12:00:00Z');
const parse = (text: string) => parseSearchQuery(text, { now, timeZone: 'UTC' });
const match = (text: string) => toMatch(parse(text));
const at = (text: string) => Date.parse(text);

it.each([
  ['flaky test', '"flaky" AND "test"'],
  ['"flaky test"', '"flaky test"'],
  ['"flaky test', '"flaky test"'],
  ['flaky -"known issue" -wip', '("flaky") NOT ("known issue" OR "wip")'],
  ['src/main.ts', '"src/main.ts"'],
  ['deploy*', '"deploy"*'],
  ['"deploy*"', '"deploy*"'],
  ['Größe CAFÉ', '"Größe" AND "CAFÉ"'],
  [
    'node:fs https://x.org/a TypeError: std::vector localhost:80',
    '"node:fs" AND "https://x.org/a" AND "TypeError:" AND "std::vector" AND "localhost:80"',
  ],
  ['a OR b NEAR(c) ^d "e"f', '"a" AND "OR" AND "b" AND "NEAR(c)" AND "^d" AND "e" AND "f"'],
  ['日本語 テスト', '"日本語" AND "テスト"'],
  ['a"b\0c', '"a b c"'],
  ['flaky kind:prompt,tool-input', '"flaky"', '"prompt" OR "tool_input"'],
  ['!!! ... -', null],
  ['', null],
])('%s is looked for as %s', (text, words, kinds?: string) => {
  const among = kinds ? ` AND kinds : (${kinds})` : '';
  expect(match(text)).toBe(words && `body : (${words})${among}`);
});

it('reads filters, several of a kind and quoted ones too', () => {
  const query = parse(
    'bug project:App project:"my app" branch:main model:Opus tool:Bash,Edit file:src/a.ts kind:prompt,tool-output is:running',
  );
  expect(query).toMatchObject({
    terms: [{ text: 'bug', words: ['bug'], isPrefix: false }],
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

it('takes what every object has for no filter', () => {
  expect(parse('constructor:x').terms).toMatchObject([{ words: ['constructor', 'x'] }]);
});

it.each([
  ['projct:x', /no filter projct: .* project:x.*"projct:x"/],
  ['porject:"a b"', /project:"a b"/],
  ['since:2026', /after:2026/],
  ['path:src', /file:src/],
  ['project:', /project: says nothing\. .*project:groundcontrol/],
  ['is:done', /is:done is not known.*is:running/],
  ['kind:prose', /kind:prose is not known.*tool_output/],
  ['after:soon', /after:soon is no time.*after:7d/],
  ['before:2026-02-30', /before:2026-02-30 is no time/],
  ['-project:x', /-project:x\. Leave the minus out/],
  [Array(70).fill('x').join(' '), /more than 64 words/],
])('%s is refused with the way out', (text, why) => expect(() => parse(text)).toThrow(why));
