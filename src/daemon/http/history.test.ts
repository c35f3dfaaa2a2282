import { afterAll, beforeAll, expect, it } from 'vitest';
import { SAMPLE_AGENT, SAMPLE_SESSION, writeSampleTranscripts } from '../../../test/kit/sample-transcripts.ts';
import { startTestDaemon, type TestDaemon } from '../../../test/kit/test-daemon.ts';
import { waitFor } from '../../../test/kit/wait.ts';
import { HistoryDetail, HistoryPage } from '../../contract/history.ts';
import { SearchPage } from '../../contract/search.ts';
import { Activity, Stats } from '../../contract/stats.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  writeSampleTranscripts(daemon.configDir);
  await waitFor(async () => (await get('/api/history')).json.total === 1 && (await isRead()), {
    what: 'the transcripts to be read',
  });
});
afterAll(() => daemon.dispose());

const get = (path: string) => daemon.call('GET', path);
const isRead = async () => {
  const { json } = await get(`/api/search?q=${encodeURIComponent('pelican kind:tool_input')}`);
  return json.hits?.length === 1;
};

it('lists a session that never had hooks', async () => {
  const page = HistoryPage.parse((await get('/api/history')).json);
  expect(page).toMatchObject({
    sessions: [
      {
        id: SAMPLE_SESSION,
        projectPath: '/work/app',
        projectDisplayName: 'app',
        gitBranch: 'main',
        models: ['claude-opus-5', 'claude-haiku-4-5'],
        firstPrompt: 'find the pelican',
        prompts: 1,
        isLive: false,
        subAgents: 1,
        tokens: { inputTokens: 110, outputTokens: 22, cacheReadTokens: 1000, cacheCreationTokens: 50 },
        cost: { totalUsd: expect.closeTo((100 * 5 + 20 * 25 + 1000 * 0.5 + 50 * 6.25 + 10 + 2 * 5) / 1e6, 9) },
      },
    ],
    total: 1,
    nextOffset: null,
  });
  expect((await get('/api/history?q=project:elsewhere')).json.total).toBe(0);
});

it('shows everything about a session, and 404 for an unknown one', async () => {
  const detail = HistoryDetail.parse((await get(`/api/history/${SAMPLE_SESSION}`)).json);
  expect(detail).toMatchObject({
    toolCounts: { Bash: 1, Agent: 1, Grep: 1 },
    subAgentList: [{ id: SAMPLE_AGENT, model: 'claude-haiku-4-5', tokens: { inputTokens: 10 }, toolCalls: 1 }],
    usageByModel: [{ model: 'claude-opus-5' }, { model: 'claude-haiku-4-5' }],
  });
  expect(detail.spending.at(-1)?.totalUsd).toBeCloseTo(detail.cost!.totalUsd, 9);
  const unknown = await get('/api/history/nobody');
  expect(unknown.status).toBe(404);
  expect(unknown.json.error.code).toBe('history.unknown');
});

it('finds prompts, answers, tools and subagents, with the message to jump to', async () => {
  const find = async (q: string) => SearchPage.parse((await get(`/api/search?q=${encodeURIComponent(q)}`)).json);
  expect((await find('pelican kind:prompt')).hits).toMatchObject([
    {
      sessionId: SAMPLE_SESSION,
      agentId: null,
      messageId: 'u-1',
      kind: 'prompt',
      snippet: [
        { text: 'find the ', match: false },
        { text: 'pelican', match: true },
      ],
      projectDisplayName: 'app',
    },
  ]);
  expect((await find('heron')).hits).toMatchObject([{ agentId: SAMPLE_AGENT, kind: 'answer', messageId: 'g-2' }]);
  expect((await find('tool:bash')).hits).toMatchObject([{ kind: 'tool_input', toolName: 'Bash' }]);
  expect((await find('feathers kind:tool_output')).hits).toMatchObject([{ messageId: 'u-3' }]);
  expect(await find('pelican project:app after:2026-11-01')).toMatchObject({
    filters: [
      { name: 'project', value: 'app' },
      { name: 'after', value: '2026-11-01' },
    ],
  });
});

it('refuses an invalid query and says how to fix it', async () => {
  const wrong = await get('/api/search?q=projct:app');
  expect(wrong.status).toBe(400);
  expect(wrong.json.error).toMatchObject({
    code: 'search.bad_query',
    message: expect.stringContaining('project:app'),
  });
  expect((await get('/api/search?q=')).status).toBe(400);
  expect((await get('/api/history?q=after:soon')).json.error.code).toBe('search.bad_query');
});

it('adds up to the same total by every dimension', async () => {
  for (const by of ['day', 'week', 'month', 'project', 'model', 'branch', 'tool']) {
    const stats = Stats.parse((await get(`/api/stats?by=${by}&timeZone=UTC`)).json);
    expect(stats.total).toMatchObject({
      sessions: 1,
      prompts: 1,
      messages: 3,
      toolCalls: 3,
      tokens: { inputTokens: 110, outputTokens: 22 },
    });
    expect(stats.rows.reduce((sum, row) => sum + row.toolCalls, 0)).toBe(3);
  }
  const days = (await get('/api/stats?timeZone=UTC')).json.rows;
  expect(days).toMatchObject([{ key: '2026-11-14' }, { key: '2026-11-15' }]);
  const { hours } = Activity.parse((await get('/api/stats/activity?timeZone=UTC')).json);
  expect(hours).toMatchObject([
    { day: '2026-11-14', hour: 9, messages: 2 },
    { day: '2026-11-15', hour: 0, messages: 1 },
  ]);
  expect((await get('/api/stats?by=moon')).status).toBe(400);
  expect((await get('/api/stats?after=2026-13-99&timeZone=UTC')).status).toBe(400);
});

it('applies changed prices immediately, in history and statistics', async () => {
  const usd = async () => [
    (await get('/api/stats?by=month')).json.total.cost.totalUsd,
    (await get('/api/history')).json.sessions[0].cost.totalUsd,
  ];
  const before = await usd();
  const { models } = (await get('/api/prices')).json;
  const opus = models.find(({ model }: { model: string }) => model === 'claude-opus-5');
  const put = (overrides: unknown[]) => daemon.call('PUT', '/api/prices', { body: { overrides } });
  expect((await put([{ ...opus, input: 1_005 }])).status).toBe(200);
  const more = before.map((was) => expect.closeTo(was + 0.1, 9));
  expect(await usd()).toEqual(more);
  expect((await put([])).status).toBe(200);
  expect(await usd()).toEqual(before.map((was) => expect.closeTo(was, 9)));
});
