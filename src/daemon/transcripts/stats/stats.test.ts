import { appendFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { StatsQuery } from '../../../contract/stats.ts';
import { answerLine, makeHistory, promptLine } from '../index/history-for-test.ts';
import { answer, lines, makeIndex, prompt } from '../index/index-for-test.ts';
import type { ReaderContext } from '../threads/queries.ts';
import { activity, stats, today } from './stats.ts';

const ask = (context: ReaderContext, query: Record<string, string> = {}) =>
  stats(context, StatsQuery.parse({ timeZone: 'UTC', ...query }));
const keys = async (context: ReaderContext, query: Record<string, string>) =>
  (await ask(context, query)).rows.map(({ key }) => key);
const call = (name: string) => ({ type: 'tool_use', id: name, name, input: { command: 'x' } });

function makeWeek() {
  const context = makeHistory([
    {
      id: 's1',
      cwd: '/work/app',
      branch: 'main',
      lines: [
        promptLine('one', '2026-11-14T09:00:00Z', { uuid: 'u1' }),
        answerLine([call('Bash'), call('Edit')], '2026-11-14T09:00:01Z', { uuid: 'u2' }),
        promptLine('two', '2026-11-15T23:50:00Z', { uuid: 'u3' }),
        answerLine([call('Bash')], '2026-11-15T23:50:01Z', { uuid: 'u4' }),
      ],
      usage: [
        { at: '2026-11-14T09:00:01Z', input: 100, cacheRead: 300, output: 10 },
        { at: '2026-11-15T23:50:01Z', input: 100, cacheRead: 100, output: 10, branch: 'fix' },
        { at: '2026-11-15T23:50:02Z', model: '<synthetic>', input: 5 },
      ],
    },
    {
      id: 's2',
      cwd: '/work/site',
      branch: 'main',
      lines: [
        promptLine('one', '2026-11-14T09:00:00Z', { uuid: 'u1' }),
        answerLine([call('Bash'), call('Edit')], '2026-11-14T09:00:01Z', { uuid: 'u2' }),
      ],
      usage: [{ at: '2026-11-16T08:00:00Z', model: 'gpt-x', input: 1000 }],
    },
  ]);
  const asked = { sessionId: 's1', toolName: 'Bash', createdAt: Date.parse('2026-11-14T09:00:00Z') };
  const decision = (waitedMs: number, by = 'Phone') => ({ status: 'decided', decision: { waitedMs, by } });
  context.ask({ ...asked, id: 'a1', ...decision(1000) });
  context.ask({ ...asked, id: 'a2', ...decision(9000) });
  context.ask({ ...asked, id: 'a3', ...decision(60_000, 'timeout') });
  context.ask({ ...asked, id: 'a4', status: 'answered_in_terminal', settledAt: asked.createdAt + 5000 });
  context.ask({ ...asked, id: 'a5', status: 'pending', toolName: 'Write' });
  return context;
}

it('counts by day: each message, prompt and call once, wherever it was copied to', async () => {
  const { rows, total } = await ask(makeWeek());
  expect(rows).toMatchObject([
    {
      key: '2026-11-14',
      sessions: 1,
      prompts: 1,
      messages: 1,
      toolCalls: 2,
      approvals: 5,
      approvalWaitMs: { median: 5000, p90: 9000, total: 15_000 },
      cacheHitRate: 0.75,
      cost: { totalUsd: expect.closeTo((100 * 5 + 300 * 0.5 + 10 * 25) / 1e6, 12) },
    },
    { key: '2026-11-15', sessions: 1, prompts: 1, messages: 1, toolCalls: 1, approvals: 0, approvalWaitMs: null },
    { key: '2026-11-16', sessions: 1, prompts: 0, cost: null, tokens: { inputTokens: 1000 } },
  ]);
  expect(total).toMatchObject({
    sessions: 2,
    prompts: 2,
    messages: 3,
    toolCalls: 3,
    tokens: { inputTokens: 1200, outputTokens: 20, cacheReadTokens: 400 },
    cost: { unpricedModels: ['gpt-x'] },
  });
});

it('assigns a time to the local day', async () => {
  expect(await keys(makeWeek(), { timeZone: 'Asia/Kathmandu' })).toEqual(['2026-11-14', '2026-11-16']);
  expect(await keys(makeWeek(), { by: 'week' })).toEqual(['2026-W46', '2026-W47']);
  expect(await keys(makeWeek(), { by: 'month' })).toEqual(['2026-11']);
});

it('counts by project, model, branch and tool, the costliest first', async () => {
  const context = makeWeek();
  expect((await ask(context, { by: 'project' })).rows).toMatchObject([
    { key: '/work/app', label: 'app', prompts: 2, approvals: 5 },
    { key: '/work/site', label: 'site', cost: null },
  ]);
  expect((await ask(context, { by: 'model' })).rows).toMatchObject([
    { key: 'claude-opus-5', messages: 2, cost: { unpricedModels: [] } },
    { key: 'gpt-x', messages: 1, cost: null },
  ]);
  expect(await keys(context, { by: 'branch' })).toEqual(['main', 'fix']);
  const tools = await ask(context, { by: 'tool' });
  expect(tools.rows).toMatchObject([
    { key: 'Bash', toolCalls: 2, approvals: 4 },
    { key: 'Edit', toolCalls: 1, approvals: 0 },
    { key: 'Write', toolCalls: 0, approvals: 1 },
  ]);
  expect(tools.total).toMatchObject({ messages: 3, toolCalls: 3 });
});

it('counts calls for the model and branch of their line, and prompts for the model that answered', async () => {
  const index = makeIndex();
  const told = { timestamp: '2026-11-16T10:00:00.000Z' };
  const path = index.write(
    'p/s1.jsonl',
    lines(
      prompt('one', { ...told, gitBranch: 'main' }),
      answer({ id: 'a', model: 'claude-opus-4-5', content: [call('Bash')], gitBranch: 'main' }),
      answer({ id: 'b', model: 'claude-sonnet-4-5', content: [call('Edit'), call('Write')], gitBranch: 'fix' }),
      prompt('two', { ...told, gitBranch: 'next' }),
    ),
  );
  await index.scan();
  const by = async (what: string, query = {}) =>
    (await ask(index.reader(), { by: what, ...query })).rows
      .map(({ key, prompts, toolCalls }) => [key, prompts, toolCalls])
      .sort();
  expect(await by('model')).toEqual([
    ['(unknown)', 1, 0],
    ['claude-opus-4-5', 1, 1],
    ['claude-sonnet-4-5', 0, 2],
  ]);
  appendFileSync(
    path,
    lines(
      answer({ id: 'e', model: '<synthetic>' }),
      answer({ id: 'x', model: 'claude-opus-4-5', isSidechain: true }),
      answer({ id: 'c', model: 'claude-haiku-4-5', gitBranch: 'next' }),
    ),
  );
  await index.scan();
  expect(await by('model')).toEqual([
    ['claude-haiku-4-5', 1, 0],
    ['claude-opus-4-5', 1, 1],
    ['claude-sonnet-4-5', 0, 2],
  ]);
  expect(await by('branch')).toEqual([
    ['(unknown)', 0, 0],
    ['fix', 0, 2],
    ['main', 1, 1],
    ['next', 1, 0],
  ]);
  expect(await by('tool', { model: 'sonnet' })).toEqual([
    ['Edit', 0, 1],
    ['Write', 0, 1],
  ]);
  expect((await ask(index.reader(), { model: 'haiku' })).total).toMatchObject({
    prompts: 1,
    toolCalls: 0,
    messages: 1,
  });
});

it('counts a copied call where it was made', async () => {
  const index = makeIndex();
  const made = { id: 'a', uuid: 'u-a', content: [call('Bash')] };
  index.write('p/z.jsonl', lines(answer({ ...made, gitBranch: 'main' })));
  // a file system's clock has a resolution of a few milliseconds
  await new Promise((resolve) => setTimeout(resolve, 30));
  await index.touch(index.write('p/a.jsonl', lines(answer({ ...made, gitBranch: 'copied' }))));
  await index.scan();
  const { rows } = await ask(index.reader(), { by: 'branch' });
  expect(rows).toMatchObject([{ key: 'main', sessions: 1, messages: 1, toolCalls: 1 }]);
});

it('leaves out other days, projects and models', async () => {
  const context = makeWeek();
  expect(await keys(context, { after: '2026-11-15' })).toEqual(['2026-11-15', '2026-11-16']);
  expect(await keys(context, { after: '2026-11-15', before: '2026-11-15' })).toEqual(['2026-11-15']);
  expect((await ask(context, { project: 'SITE' })).total).toMatchObject({ sessions: 1, messages: 1, approvals: 0 });
  expect((await ask(context, { model: 'claude-opus-5[1m]' })).total).toMatchObject({ sessions: 1, messages: 2 });
  await expect(ask(context, { after: '2026-11-16', before: '2026-11-15' })).rejects.toThrow(/Swap them/);
  for (const day of ['2026-02-30', '0000-01-01', '9999-12-31'])
    await expect(ask(context, { after: day })).rejects.toThrow(`${day} isn't a valid day`);
  await expect(ask(context, { timeZone: 'Mars' })).rejects.toThrow(/Unknown time zone Mars/);
});

it('reports the hours with activity', async () => {
  const { hours } = await activity(makeWeek(), { timeZone: 'UTC' });
  expect(hours).toEqual([
    { day: '2026-11-14', hour: 9, messages: 1, tokens: 410 },
    { day: '2026-11-15', hour: 23, messages: 1, tokens: 210 },
    { day: '2026-11-16', hour: 8, messages: 1, tokens: 1000 },
  ]);
});

it('adds up today', () => {
  const context = makeWeek();
  const at = (text: string) => today(context, { now: Date.parse(text), timeZone: 'UTC' });
  expect(at('2026-11-16T12:00:00Z')).toEqual({ costUsd: null, tokens: 1000 });
  expect(at('2026-11-17T12:00:00Z')).toEqual({ costUsd: 0, tokens: 0 });
});
