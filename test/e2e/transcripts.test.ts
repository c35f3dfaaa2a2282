import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { LiveSession } from '../../src/contract/sessions.ts';
import { launchBrowser } from '../kit/browser.ts';
import { startDaemonWithClient } from '../kit/daemon-with-client.ts';
import { callTool, say, type Usage } from '../kit/scripted-answer.ts';
import type { Scenario } from '../kit/scripted-api.ts';
import { openSse } from '../kit/sse-client.ts';
import { waitFor } from '../kit/wait.ts';

/** Price of the client's default model in dollars per million tokens, as the client counts. */
const RATES = { input: 4, output: 20, cacheRead: 0.2, write5m: 5, write1h: 8 };

function used(input: number, output: number, read = 0, write5m = 0, write1h = 0): { usage: Usage } {
  return {
    usage: {
      input_tokens: input,
      output_tokens: output,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: write5m + write1h,
      cache_creation: { ephemeral_5m_input_tokens: write5m, ephemeral_1h_input_tokens: write1h },
    },
  };
}

const todos = [
  { content: 'Read it', status: 'completed', activeForm: 'Reading it' },
  { content: 'Write it', status: 'in_progress', activeForm: 'Writing it' },
];
const main = [
  used(1000, 10, 0, 2000),
  used(20, 30, 3000, 0, 400),
  used(21, 31, 3400),
  used(22, 32, 3500),
  used(23, 33, 3600, 50),
  used(24, 5000, 3700, 60),
];
const outer = [used(100, 11, 0, 70), used(101, 12, 170), used(102, 13, 270)];
const inner = [used(200, 13), used(201, 14)];
const woken = used(5, 6, 250_000);

const agent = (description: string, prompt: string) => ({ description, prompt, subagent_type: 'general-purpose' });
const scenario: Scenario = [
  { when: 'task-notification', from: 'subagent', reply: [say('The inner one is done.', outer[2])] },
  { when: 'task-notification', from: 'main', reply: [say('All is done.', woken)] },
  {
    when: 'inner',
    from: 'subagent',
    reply: [callTool('Read', { file_path: 'README.md' }, inner[0]), say('Read.', inner[1])],
  },
  {
    when: 'outer',
    from: 'subagent',
    reply: [callTool('Agent', agent('inner helper', 'inner: read'), outer[0]), say('Started.', outer[1])],
  },
  {
    when: 'do it all',
    reply: [
      callTool('TodoWrite', { todos }, main[0]),
      callTool('Read', { file_path: 'README.md' }, main[1]),
      callTool('Edit', { file_path: 'README.md', old_string: '# A project', new_string: '# Ours\n\nNew' }, main[2]),
      callTool('Write', { file_path: 'new.txt', content: 'a\nb\nc\n' }, main[3]),
      callTool('Agent', agent('outer helper', 'outer: start another'), main[4]),
      say('I have begun.', main[5]),
    ],
  },
];

test('a real session shows its tokens, cost, model, context, todos and subagents, and costs what the client says', async () => {
  const { client, call, home, daemon } = await startDaemonWithClient(scenario, {
    permissionMode: 'acceptEdits',
    env: { CLAUDE_CODE_ENABLE_TASKS: '0', CLAUDE_CODE_ENABLE_TODO_TOOLS: '1' },
  });
  const stream = await openSse({ url: daemon.url, token: daemon.credentials.localToken });
  onTestFinished(() => void stream.close());
  const id = await client.sessionId();
  await client.prompt('do it all');

  const requests = [...main, woken];
  const total = sum([...requests, ...outer, ...inner]);
  const totalTokens = total.inputTokens + total.outputTokens + total.cacheReadTokens + total.cacheCreationTokens;
  const session = await waitFor(
    async () => {
      const shown = (await call('GET', `/api/sessions/${id}`)).json as LiveSession;
      expect(shown.tokens).toEqual(total);
      expect(shown.agentState.state).toBe('idle');
      return shown;
    },
    { what: 'all the tokens of the session', timeout: 60_000, context: client.lastScreen },
  );

  expect(session.cost?.totalUsd).toBeCloseTo(costOf(total), 10);
  expect(session.usageByModel).toMatchObject([{ model: 'claude-opus-5-5', tokens: total }]);
  expect(session.model).toContain('claude-opus-5-5');
  expect(session).toMatchObject({
    // the last input of the model: everything except its reply
    contextWindowTokens: 250_005,
    contextWindowLimit: 1_000_000,
    gitBranch: 'main',
    lastUserMessage: 'do it all',
    progressItems: [
      { title: 'Read it', status: 'completed' },
      { title: 'Write it', status: 'in_progress' },
    ],
    linesAdded: 6,
    linesRemoved: 1,
    toolCounts: { TodoWrite: 1, Read: 2, Edit: 1, Write: 1, Agent: 2 },
  });
  expect(session.cacheWarmUntil! - session.turnStartedAt!).toBeGreaterThan(4 * 60_000);
  const [first, second] = session.subAgents;
  expect(first).toMatchObject({ description: 'outer helper', parentId: null, tokens: sum(outer), toolCalls: 1 });
  expect(second).toMatchObject({ description: 'inner helper', parentId: first?.id, tokens: sum(inner), toolCalls: 1 });
  expect(first?.cost?.totalUsd).toBeCloseTo(costOf(sum(outer)), 10);
  expect(second?.model).toBe('claude-opus-5-5');

  const card = await openCard((await call('POST', '/api/links', { role: 'admin' })).json.url, id);
  expect(await cells(card)).toMatchObject({
    project: 'project',
    branch: 'main',
    model: expect.stringMatching(/opus.5.5/i),
    context: expect.stringContaining('25%'),
    cost: '$0.18',
    tokens: expect.stringContaining('277k'),
  });
  await card.getByRole('progressbar', { name: 'Tasks' }).waitFor();
  await card.getByText('Write it').first().waitFor();
  await card.getByRole('button', { name: 'Details' }).click();
  const agents = card.getByRole('list', { name: 'Subagents' }).getByRole('listitem');
  expect(await agents.allTextContents()).toEqual([
    expect.stringMatching(/outer helper.*849/),
    expect.stringMatching(/inner helper.*428/),
  ]);

  await client.exit();
  const told = await waitFor(() => clientCost(home.configDir, id), { what: "the client's own cost" });
  expect(session.cost?.totalUsd).toBeCloseTo(told, 10);

  // the index has it too, and viewers get the new total of the day
  await waitFor(async () => (await call('GET', '/api/history/costs')).json.checked === 1, {
    what: 'the index to have read the end of the session',
  });
  expect((await call('GET', '/api/history/costs')).json).toEqual({ checked: 1, differing: 0, largest: [] });
  await waitFor(
    () => {
      const summary = stream.messages.findLast(({ event }) => event === 'summary');
      return summary?.data.totalTokensToday === totalTokens;
    },
    { what: "today's tokens", context: () => stream.messages.filter(({ event }) => event === 'summary') },
  );
});

async function openCard(link: string, id: string): Promise<Locator> {
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(link);
  const card = page.locator(`[data-session="${id}"]`);
  await card.waitFor();
  return card;
}

async function cells(card: Locator): Promise<Record<string, string>> {
  const found = await card
    .locator('[data-cell]')
    .evaluateAll((elements) =>
      elements.map((element) => [(element as HTMLElement).dataset.cell!, element.textContent!] as const),
    );
  return Object.fromEntries(found);
}

function sum(requests: { usage: Usage }[]) {
  const of = (pick: (usage: Usage) => number) => requests.reduce((total, { usage }) => total + pick(usage), 0);
  return {
    inputTokens: of((usage) => usage.input_tokens),
    outputTokens: of((usage) => usage.output_tokens),
    cacheReadTokens: of((usage) => usage.cache_read_input_tokens),
    cacheCreationTokens: of((usage) => usage.cache_creation_input_tokens),
    cacheCreation1hTokens: of((usage) => usage.cache_creation?.ephemeral_1h_input_tokens ?? 0),
  };
}

function costOf(tokens: ReturnType<typeof sum>): number {
  const fiveMinutes = tokens.cacheCreationTokens - tokens.cacheCreation1hTokens;
  const micros =
    tokens.inputTokens * RATES.input +
    tokens.outputTokens * RATES.output +
    tokens.cacheReadTokens * RATES.cacheRead +
    fiveMinutes * RATES.write5m +
    tokens.cacheCreation1hTokens * RATES.write1h;
  return micros / 1e6;
}

/** `totalCostUSD` of the last `cost-state` line, which the client writes when it exits. */
function clientCost(configDir: string, id: string): number | undefined {
  const projects = join(configDir, 'projects');
  const path = readdirSync(projects, { recursive: true, encoding: 'utf8' }).find((name) =>
    name.endsWith(`${id}.jsonl`),
  );
  const lines = readFileSync(join(projects, path!), 'utf8').trim().split('\n');
  const line = lines.findLast((text) => text.includes('"cost-state"'));
  return line && JSON.parse(line).totalCostUSD;
}
