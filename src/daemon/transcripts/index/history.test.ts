import { expect, it } from 'vitest';
import type { ReaderContext } from '../threads/queries.ts';
import { history, historyDetail } from './history.ts';
import { answerLine, makeHistory, promptLine } from './history-for-test.ts';

const now = Date.parse('2026-11-16T12:00:00Z');
const list = (context: ReaderContext, rest = {}) =>
  history(context, { q: '', sort: 'recent', offset: 0, limit: 50, live: [], now, timeZone: 'UTC', ...rest });
const ids = async (context: ReaderContext, rest = {}) => (await list(context, rest)).sessions.map(({ id }) => id);

const makeThree = () =>
  makeHistory([
    {
      id: 'old',
      cwd: '/work/app',
      title: 'Old but dear',
      lines: [promptLine('write a poem', '2026-10-01T10:00:00Z')],
      usage: [{ at: '2026-10-01T10:00:00Z', model: 'claude-opus-4-1', output: 1_000_000 }],
    },
    {
      id: 'chatty',
      cwd: '/work/site',
      touched: ['/work/site/index.html', '/work/site/a.css'],
      lines: [
        promptLine('make it blue', '2026-11-01T10:00:00Z'),
        answerLine(
          [{ type: 'tool_use', id: 't', name: 'Edit', input: { new_string: 'zebra' } }],
          '2026-11-01T10:00:01Z',
        ),
      ],
      usage: [
        { at: '2026-11-01T10:00:00Z', model: 'claude-haiku-4-5', cacheRead: 5_000_000 },
        { at: '2026-11-01T10:05:00Z', model: 'claude-haiku-4-5', input: 10 },
        { at: '2026-11-01T10:06:00Z', model: 'claude-opus-5', input: 10 },
      ],
    },
    { id: 'new', cwd: '/work/app', usage: [{ at: '2026-11-15T10:00:00Z', model: 'gpt-x', input: 7 }] },
  ]);

it('lists every session, sorted and paged', async () => {
  const context = makeThree();
  expect(await ids(context)).toEqual(['new', 'chatty', 'old']);
  expect(await ids(context, { sort: 'cost' })).toEqual(['old', 'chatty', 'new']);
  expect(await ids(context, { sort: 'tokens' })).toEqual(['chatty', 'old', 'new']);
  const page = await list(context, { limit: 2 });
  expect(page).toMatchObject({ total: 3, nextOffset: 2 });
  expect(await list(context, { limit: 2, offset: 2 })).toMatchObject({ sessions: [{ id: 'old' }], nextOffset: null });
});

it('shows a session’s usage: each message once, and no price if none is known', async () => {
  const [latest, chatty] = (await list(makeThree(), { live: ['new'] })).sessions;
  expect(latest).toMatchObject({ cost: null, models: ['gpt-x'], isLive: true, tokens: { inputTokens: 7 } });
  expect(chatty).toMatchObject({
    isLive: false,
    projectPath: '/work/site',
    projectDisplayName: 'site',
    models: ['claude-haiku-4-5', 'claude-opus-5'],
    tokens: { inputTokens: 20, cacheReadTokens: 5_000_000 },
    cost: { totalUsd: expect.closeTo(0.5 + 0.000_01 + 0.000_05, 9), unpricedModels: [] },
  });
});

it.each([
  ['poem', ['old']],
  ['dear', ['old']],
  ['zebra', ['chatty']],
  ['-dear', ['new', 'chatty']],
  ['project:app', ['new', 'old']],
  ['model:haiku', ['chatty']],
  ['file:index.html', ['chatty']],
  ['tool:edit', ['chatty']],
  ['after:2026-11-01', ['new', 'chatty']],
  ['before:2026-11-01', ['old']],
  ['is:running', ['new']],
])('%s leaves %j', async (q, expected) => expect(await ids(makeThree(), { q, live: ['new'] })).toEqual(expected));

it('shows everything about one session', async () => {
  const detail = await historyDetail(makeThree(), { id: 'chatty', live: [] });
  expect(detail).toMatchObject({
    id: 'chatty',
    usageByModel: [{ model: 'claude-haiku-4-5' }, { model: 'claude-opus-5' }],
    files: [{ path: '/work/site/a.css', edits: 1, reads: 2, added: 3, removed: 4 }, { path: '/work/site/index.html' }],
    spending: [{ tokens: 5_000_000 }, { tokens: 5_000_010 }, { tokens: 5_000_020 }],
  });
  expect(detail.spending.at(-1)!.totalUsd).toBeCloseTo(detail.cost!.totalUsd, 9);
  await expect(historyDetail(makeThree(), { id: 'nope', live: [] })).rejects.toThrow(/No transcript of session nope/);
});
