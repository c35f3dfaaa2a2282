import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DomainError } from '../../errors.ts';
import { history } from '../index/history.ts';
import { answerLine, makeHistory, promptLine } from '../index/history-for-test.ts';
import { lines, makeIndex, prompt } from '../index/index-for-test.ts';
import type { ReaderContext } from '../threads/queries.ts';
import { search } from './search.ts';

const now = Date.parse('2026-11-16T12:00:00Z');
const find = (context: ReaderContext, q: string, rest = {}) =>
  search(context, { q, offset: 0, limit: 20, live: [], now, timeZone: 'UTC', ...rest });
const sessionsOf = (context: ReaderContext, q: string) =>
  history(context, { q, sort: 'recent', offset: 0, limit: 5, live: [], now, timeZone: 'UTC' });
const texts = async (context: ReaderContext, q: string, rest = {}) =>
  (await find(context, q, rest)).hits.map(({ snippet }) => snippet.map(({ text }) => text).join(''));

function makeTwo() {
  return makeHistory([
    {
      id: 's1',
      cwd: '/work/app',
      branch: 'main',
      title: 'Fix the parser',
      touched: ['/work/app/src/parser.ts'],
      usage: [{ at: '2026-11-10T10:00:01Z', model: 'claude-opus-5' }],
      lines: [
        promptLine('the parser is flaky', '2026-11-10T10:00:00Z', { uuid: 'u1' }),
        answerLine(
          [
            { type: 'text', text: 'I fix the flaky parser' },
            { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'npm test parser' } },
          ],
          '2026-11-10T10:00:01Z',
          { uuid: 'u2' },
        ),
      ],
    },
    {
      id: 's2',
      cwd: '/work/site',
      branch: 'feature/größe',
      usage: [{ at: '2026-11-15T10:00:00Z', model: 'claude-haiku-4-5' }],
      lines: [promptLine('a parser for the site', '2026-11-15T10:00:00Z')],
    },
    // a word that is in every text has no weight
    {
      id: 's3',
      cwd: '/work/other',
      lines: Array.from({ length: 20 }, (_, n) => promptLine(`something else ${n}`, '2026-11-01T10:00:00Z')),
    },
  ]);
}

it('finds messages, with the position to jump to and the match marked', async () => {
  const { hits, filters, nextOffset } = await find(makeTwo(), 'flaky project:app', { live: ['s1'] });
  expect(filters).toEqual([{ name: 'project', value: 'app' }]);
  expect(nextOffset).toBeNull();
  expect(hits).toHaveLength(2);
  expect(hits[0]).toEqual({
    sessionId: 's1',
    agentId: null,
    messageId: 'u1',
    kind: 'prompt',
    toolName: null,
    at: Date.parse('2026-11-10T10:00:00Z'),
    snippet: [
      { text: 'the parser is ', match: false },
      { text: 'flaky', match: true },
    ],
    title: 'Fix the parser',
    projectDisplayName: 'app',
    gitBranch: 'main',
    model: 'claude-opus-5',
    isLive: true,
  });
});

it.each([
  ['parser', ['the parser is flaky', 'a parser for the site', 'I fix the flaky parser', 'npm test parser']],
  ['parser -flaky', ['a parser for the site', 'npm test parser']],
  ['"parser for"', ['a parser for the site']],
  ['pars* kind:tool_input', ['npm test parser']],
  ['parser tool:bash', ['npm test parser']],
  ['tool:Bash', ['npm test parser']],
  ['parser branch:größe', ['a parser for the site']],
  ['parser branch:feature', ['a parser for the site']],
  ['parser model:haiku', ['a parser for the site']],
  ['parser file:src/parser.ts kind:prompt', ['the parser is flaky']],
  ['parser after:2026-11-12', ['a parser for the site']],
  ['parser before:2026-11-12 kind:answer', ['I fix the flaky parser']],
  ['project:/work/site', ['a parser for the site']],
  ['project:site project:app', ['a parser for the site', 'the parser is flaky']],
  ['kind:prompt -flaky -else', ['a parser for the site']],
  ['project:nowhere parser', []],
  ['absent', []],
])('%s finds %j', async (query, expected) => {
  expect((await texts(makeTwo(), query)).toSorted()).toEqual(expected.toSorted());
});

it('ranks prompts before tool input, and pages through', async () => {
  const context = makeTwo();
  const all = await texts(context, 'parser');
  const first = await find(context, 'parser', { limit: 3 });
  expect(first.nextOffset).toBe(3);
  expect(await texts(context, 'parser', { limit: 3, offset: 3 })).toEqual(all.slice(3));
  expect(all.indexOf('the parser is flaky')).toBeLessThan(all.indexOf('npm test parser'));
});

it('ranks a pasted message before its words in another order', async () => {
  const context = makeHistory([
    {
      id: 's1',
      lines: [
        promptLine('it said ENOENT: no such file or directory, and then it stopped', '2026-11-10T10:00:00Z'),
        promptLine('no file ENOENT such', '2026-11-15T10:00:00Z'),
      ],
    },
  ]);
  const found = await texts(context, 'ENOENT: no such file');
  expect(found.map((text) => text.startsWith('it said'))).toEqual([true, false]);
});

it('finds sessions by branch and model even without their own responses, or if their branch or model changed since', async () => {
  const context = makeHistory([
    { id: 'asked', branch: 'fresh', lines: [promptLine('one', '2026-11-10T10:00:00Z')] },
    {
      id: 'copied',
      branch: 'main',
      lines: [
        promptLine('two', '2026-11-10T11:00:00Z', { gitBranch: 'older' }),
        answerLine([{ type: 'text', text: 'yes' }], '2026-11-10T11:00:01Z', {
          message: { role: 'assistant', model: 'claude-haiku-4-5', content: [{ type: 'text', text: 'yes' }] },
        }),
      ],
    },
  ]);
  const ids = async (q: string) => (await find(context, q)).hits.map(({ sessionId }) => sessionId);
  expect(await ids('branch:fresh')).toEqual(['asked']);
  expect(await ids('branch:older')).toEqual(['copied']);
  expect(await ids('model:haiku')).toEqual(['copied']);
  expect(await ids('branch:elsewhere')).toEqual([]);
});

it('finds running sessions', async () => {
  expect(await texts(makeTwo(), 'parser is:running', { live: ['s2'] })).toEqual(['a parser for the site']);
  expect(await texts(makeTwo(), 'parser is:running')).toEqual([]);
});

it('shows a line once that was copied into another session', async () => {
  const line = promptLine('resume me', '2026-11-10T10:00:00Z', { uuid: 'same' });
  const context = makeHistory([
    { id: 'a', lines: [line] },
    { id: 'b', lines: [line] },
  ]);
  expect(await texts(context, 'resume')).toEqual(['resume me']);
});

it('reports a missing transcript', async () => {
  const context = makeTwo();
  rmSync(context.paths.configDir, { recursive: true });
  expect(await texts(context, 'flaky kind:prompt')).toEqual(['The transcript changed after it was indexed.']);
});

it('shows lines after bytes a crash left, and does not block on a pipe in place of a transcript', async () => {
  const context = makeTwo();
  const [{ path, start }] = context.db
    .prepare("SELECT path, start FROM pieces JOIN files f ON f.id = file_id WHERE uuid = 'u1'")
    .all() as [{ path: string; start: number }];
  const line = `${JSON.stringify(promptLine('behind a crash', '2026-11-10T10:00:00Z'))}\n`;
  writeFileSync(path, Buffer.concat([Buffer.alloc(start, 10), Buffer.alloc(5), Buffer.from(line)]));
  expect(await texts(context, 'flaky kind:prompt')).toEqual(['behind a crash']);
  rmSync(path);
  execFileSync('mkfifo', [path]);
  expect(await texts(context, 'flaky kind:prompt')).toEqual(['The transcript changed after it was indexed.']);
});

it('answers every query or reports what is wrong', async () => {
  const context = makeTwo();
  const words = fc.constantFrom(
    '"',
    '*',
    '^',
    '(',
    ')',
    '-',
    ':',
    'AND',
    'OR',
    'NOT',
    'NEAR',
    '{',
    '}',
    '+',
    '\0',
    '\ud800',
    "'",
    ';',
    '%',
  );
  const filters = fc.constantFrom(
    'project:',
    'file:',
    'kind:prompt',
    'after:1d',
    'is:running',
    'tool:',
    'body:',
    'rowid:',
  );
  const query = fc.array(fc.oneof(words, filters, fc.string({ unit: 'binary' }), fc.constantFrom('parser', ' ')), {
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(query, async (parts) => {
      const q = parts.join('').slice(0, 1000);
      for (const ask of [
        find,
        (c: ReaderContext, text: string) =>
          history(c, { q: text, sort: 'recent', offset: 0, limit: 5, live: [], now, timeZone: 'UTC' }),
      ]) {
        await ask(context, q).catch((error) => {
          if (!(error instanceof DomainError)) throw error;
        });
      }
    }),
    { numRuns: 300 },
  );
});

it('ranks the newest of very many by their own time, whenever they were indexed', async () => {
  const said = (day: string, count: number) =>
    Array.from({ length: count }, (_, n) =>
      prompt(`gull ${day} ${n}`, {
        uuid: `${day}-${n}`,
        timestamp: new Date(Date.parse(`${day}T00:00:00Z`) + n * 1000).toISOString(),
      }),
    );
  const pages: string[][] = [];
  for (const order of [
    ['2026-11-01', '2026-11-10'],
    ['2026-11-10', '2026-11-01'],
  ]) {
    const index = makeIndex();
    for (const day of order) {
      index.write(`p/${day}.jsonl`, lines(...said(day, 1500)));
      await index.scan();
    }
    const context = index.reader();
    const page = await find(context, 'gull', { limit: 100, offset: 1450 });
    expect(page).toMatchObject({ total: 2000, isTotalCapped: true });
    pages.push(page.hits.map(({ messageId }) => messageId));
    expect(await find(context, 'gull before:2026-11-05')).toMatchObject({ total: 1500, isTotalCapped: false });
    expect(await find(context, '2026 gull after:2026-11-05')).toMatchObject({ total: 1500, isTotalCapped: false });
    expect(await sessionsOf(context, 'gull')).toMatchObject({ total: 2, isTotalCapped: false });
  }
  expect(pages[0]).toHaveLength(100);
  expect(pages[0]?.[49]).toBe('2026-11-10-0');
  expect(pages[0]?.[50]).toBe('2026-11-01-1499');
  expect(pages[1]).toEqual(pages[0]);
});

it('finds the client’s own texts', async () => {
  const index = makeIndex();
  index.write(
    'p/s1.jsonl',
    lines(
      prompt('The story so far: a heron', { isCompactSummary: true }),
      prompt('<command-name>/review</command-name><command-args>the heron branch</command-args>'),
      prompt('<bash-input>ls heron</bash-input>'),
      prompt('<bash-stdout>heron.txt</bash-stdout>'),
      JSON.stringify({
        type: 'attachment',
        uuid: 'file',
        attachment: { type: 'file', displayPath: 'heron.md' },
        timestamp: '2026-11-16T10:00:00Z',
      }),
      JSON.stringify({ type: 'system', uuid: 'sys', content: 'Heron mode is on', timestamp: '2026-11-16T10:00:00Z' }),
    ),
  );
  await index.scan();
  const { hits } = await find(index.reader(), 'heron');
  expect(hits.map(({ kind }) => kind).toSorted()).toEqual([
    'attachment',
    'command',
    'command',
    'command',
    'notice',
    'summary',
  ]);
  expect((await find(index.reader(), 'heron kind:command')).total).toBe(3);
});
