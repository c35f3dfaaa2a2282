import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { HistoryDetail, HistoryPage } from '../../src/contract/history.ts';
import type { LiveSession } from '../../src/contract/sessions.ts';
import type { Stats } from '../../src/contract/stats.ts';
import { launchBrowser } from '../kit/browser.ts';
import { apiCaller } from '../kit/call-api.ts';
import { type ClientHome, makeClientHome } from '../kit/client-home.ts';
import { startDaemonProcess } from '../kit/daemon-process.ts';
import { runHeadless, startInteractive } from '../kit/real-client.ts';
import { callTool, say, type Usage } from '../kit/scripted-answer.ts';
import { type Scenario, startScriptedApi } from '../kit/scripted-api.ts';
import { waitFor } from '../kit/wait.ts';

function used(input: number, output: number, read = 0, write = 0, searches = 0): { usage: Partial<Usage> } {
  return {
    usage: {
      input_tokens: input,
      output_tokens: output,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: write,
      ...(searches > 0 ? { server_tool_use: { web_search_requests: searches } } : {}),
    },
  };
}

const agent = (prompt: string, model?: string) => ({
  description: 'helper',
  prompt,
  subagent_type: 'general-purpose',
  ...(model ? { model } : {}),
});
const oneHour = {
  usage: {
    ...used(20, 30, 3000, 5000).usage,
    cache_creation: { ephemeral_5m_input_tokens: 1000, ephemeral_1h_input_tokens: 4000 },
  },
};

const scenario: Scenario = [
  { when: 'create a detailed summary', reply: [say('<summary>It went well.</summary>', used(150_000, 900, 11_000))] },
  { when: 'Perform a web search', reply: [say('The web says so.', used(3000, 200, 0, 0, 3))] },
  { when: 'task-notification', reply: [say('The helper is done.', used(1300, 70))] },
  { when: 'inner', from: 'subagent', reply: [say('I helped.', used(777, 77))] },
  {
    when: 'look it up for me',
    from: 'subagent',
    reply: [callTool('WebSearch', { query: 'wombat' }, used(500, 20)), say('Found.', used(700, 30))],
  },
  { when: 'with a helper', reply: [callTool('Agent', agent('inner'), used(1000, 50)), say('Begun.', used(1200, 60))] },
  {
    when: 'with a small helper',
    reply: [callTool('Agent', agent('inner', 'haiku'), used(1000, 50)), say('Begun.', used(1200, 60))],
  },
  {
    when: 'with a searching helper',
    reply: [callTool('Agent', agent('look it up for me'), used(1000, 50)), say('Begun.', used(1200, 60))],
  },
  {
    when: 'search',
    reply: [callTool('WebSearch', { query: 'quokka' }, used(1000, 50)), say('Found.', used(1200, 60))],
  },
  {
    when: 'read',
    reply: [callTool('Read', { file_path: 'README.md' }, used(900, 40)), say('Read.', used(1000, 20, 900))],
  },
  { when: 'keep it', reply: [say('Kept.', oneHour)] },
  { when: 'long', reply: [say('That was long.', used(120_000, 700, 90_000))] },
  { when: /./, reply: [say('Hello.', used(10_000, 500, 1000, 2000))] },
];

/** The client's final report: the session id and the session's total cost by its own count. */
interface Told {
  id: string;
  usd: number;
  /** Precision to compare with, because the client's screen rounds. */
  digits?: number;
}

test('each session costs what the client says, in history, on its card and in the statistics', async () => {
  const api = await startScriptedApi(scenario);
  onTestFinished(api.close);
  const home = await makeClientHome({ apiUrl: api.url });
  onTestFinished(home.dispose);
  const daemon = await startDaemonProcess({ args: ['--hooks'], env: { CLAUDE_CONFIG_DIR: home.configDir } });
  onTestFinished(daemon.dispose);
  const call = apiCaller(daemon);

  const told = new Map<string, Told>();
  /** Runs prompts in order as a named session, resuming after the first. Extra arguments go to each run. */
  const session = async (name: string, prompts: string[], ...args: string[]) => {
    let last: Told | undefined;
    for (const prompt of prompts) last = await run(home, prompt, ...args, ...(last ? ['--resume', last.id] : []));
    told.set(name, last!);
    return last!;
  };
  const tools = ['--allowedTools', 'WebSearch,Read'];
  const plain = async () => {
    await session('plain', ['hello']);
    const resumed = await session('resumed', ['hello', 'hello again', 'and again']);
    await session('fork', ['hello fork'], '--resume', resumed.id, '--fork-session');
    await session('tools', ['please read', 'read once more'], ...tools);
    await session('one-hour cache', ['keep it']);
  };
  const compacted = async () => {
    const { id } = await session('compacted', ['hello', '/compact', 'hello after']);
    await session('compacted twice', ['hello', '/compact', 'hello after', '/compact']);
    const empty = await session('compacted at its end', ['hello', '/compact']);
    await session('fork of a compacted one', ['hello'], '--resume', id, '--fork-session');
    await session('fork of an emptied one', ['hello', '/compact'], '--resume', empty.id, '--fork-session');
    await session('small model, long compaction', ['hello', '/compact'], '--model', 'haiku');
  };
  const others = async () => {
    await session('web search', ['please search'], ...tools);
    await session('web search, twice', ['please search', 'search more'], ...tools);
    await session('helper', ['with a helper']);
    await session('small helper', ['with a small helper', 'hello again']);
    await session('searching helper', ['with a searching helper'], ...tools);
    await session('long context', ['long', 'long'], '--model', 'haiku');
    await session('cache reads of Sonnet 5.5', ['long'], '--model', 'claude-sonnet-5-5');
    await session('dated model', ['hello'], '--model', 'claude-haiku-4-5-20251001');
    const { id } = await session('several models', ['hello', 'hello'], '--model', 'sonnet[1m]');
    told.set('several models', await run(home, 'hello', '--model', 'haiku', '--resume', id));
  };
  await Promise.all([plain(), compacted(), others(), interactive(home, told)]);
  expect(told.size).toBeGreaterThanOrEqual(20);

  await waitFor(
    async () => {
      const rows = await Promise.all(
        Array.from(told, async ([name, { id, usd, digits = 6 }]) => {
          const { cost, inherited } = (await call('GET', `/api/history/${id}`)).json as HistoryDetail;
          return { name, usd, digits, ours: (cost?.totalUsd ?? 0) + (inherited?.cost?.totalUsd ?? 0) };
        }),
      );
      for (const { name, ours, usd, digits } of rows) expect(ours, name).toBeCloseTo(usd, digits);
      return true;
    },
    { what: 'the costs of all sessions', timeout: 60_000 },
  );
  // each card matches its history, and the sum matches the statistics
  const { sessions } = (await call('GET', '/api/history?limit=200')).json as HistoryPage;
  const { total } = (await call('GET', '/api/stats')).json as Stats;
  expect(sessions.reduce((sum, { cost }) => sum + (cost?.totalUsd ?? 0), 0)).toBeCloseTo(total.cost!.totalUsd, 6);
  await waitFor(
    async () => {
      for (const { id, cost, tokens, inherited } of sessions) {
        const card = (await call('GET', `/api/sessions/${id}`)).json as LiveSession;
        const own = { cost: cents(card.cost?.totalUsd), tokens: card.tokens, inherited: card.inherited?.tokens };
        expect(own, id).toEqual({ cost: cents(cost?.totalUsd), tokens, inherited: inherited?.tokens });
      }
      return true;
    },
    { what: 'the cards', timeout: 60_000 },
  );
  expect((await call('GET', '/api/history/costs')).json).toMatchObject({ differing: 0 });

  // where the client's figure differs, the page says why
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto((await call('POST', '/api/links', { role: 'admin' })).json.url);
  await page.getByRole('status').getByText('Live').first().waitFor({ state: 'attached' });
  await page.goto(`${daemon.url}/sessions/${told.get('compacted')!.id}`);
  await page.getByText('opus 5.5, other requests', { exact: false }).first().waitFor();
  await page.goto(`${daemon.url}/sessions/${told.get('fork')!.id}`);
  await page.locator('[data-spending="inherited"]').getByText('Forked with').waitFor();
  await page.goto(`${daemon.url}/stats`);
  await page.getByText('of that for other requests').waitFor();
});

function cents(usd: number | undefined): string {
  return (usd ?? 0).toFixed(4);
}

async function run(home: ClientHome, prompt: string, ...args: string[]): Promise<Told> {
  const { stdout, stderr, code } = await runHeadless(home, prompt, { args: ['--output-format', 'json', ...args] });
  if (!stdout) throw new Error(`"${prompt}" ended with ${code}: ${stderr}`);
  const { session_id, total_cost_usd } = JSON.parse(stdout) as { session_id: string; total_cost_usd: number };
  return { id: session_id, usd: total_cost_usd };
}

function transcriptOf({ configDir }: ClientHome, id: string): string {
  const projects = join(configDir, 'projects');
  const files = readdirSync(projects).map((project) => join(projects, project, `${id}.jsonl`));
  return files
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('');
}

/** Only possible on the client's interactive screen: one process with three sessions, and one that is killed. */
async function interactive(home: ClientHome, told: Map<string, Told>): Promise<void> {
  const client = await startInteractive(home);
  onTestFinished(client.dispose);
  const ask = async (prompt: string) => {
    const screens = (await client.screen()).split('Hello.').length;
    await client.prompt(prompt);
    await client.waitForScreen((screen) => screen.split('Hello.').length > screens);
    await client.waitForStatus('idle');
  };
  const cost = async () => {
    await client.prompt('/cost');
    const screen = await client.waitForScreen(/Total cost:\s+\$[\d.]+/);
    await client.press('Escape');
    await client.waitForScreen((now) => !now.includes('Total cost:'));
    const usd = Number(/Total cost:\s+\$([\d.]+)/.exec(screen)?.[1]);
    return { id: await client.sessionId(), usd, digits: 2 };
  };
  await ask('hello there');
  await client.prompt('/compact');
  await client.waitForScreen(/ompacted/);
  await client.waitForStatus('idle');
  await ask('hello once more');
  told.set('compacted on screen', await cost());
  await client.prompt('/clear');
  await client.waitForScreen((screen) => !screen.includes('hello once more'));
  await ask('hello cleared');
  told.set('cleared', await cost());
  await client.prompt('/branch');
  await client.waitForScreen(/Branched conversation/);
  await ask('hello branched');
  const branch = await cost();
  await client.exit();
  expect(branch.usd, 'a branch counts for itself from the start').toBeLessThan(0.07);

  const killed = await startInteractive(home);
  onTestFinished(killed.dispose);
  await killed.prompt('hello');
  await killed.waitForScreen(/Hello\./);
  await killed.waitForStatus('idle');
  const id = await killed.sessionId();
  // the client writes its transcript shortly after the screen, and can only resume what it wrote
  await waitFor(() => transcriptOf(home, id).includes('"Hello."'), { what: 'the transcript', timeout: 60_000 });
  process.kill(killed.pid, 'SIGKILL');
  await killed.ended();
  const after = await run(home, 'hello again', '--resume', id);
  // the killed client lost its count, which was the same amount
  told.set('killed', { id, usd: 2 * after.usd });
}
