import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkout } from '../kit/daemon-process.ts';
import { lastToolResult } from '../kit/daemon-with-client.ts';
import { type DaemonWithRunners, startDaemonWithRunners } from '../kit/daemon-with-runners.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import type { Scenario } from '../kit/scripted-api.ts';
import { waitFor } from '../kit/wait.ts';

const START = 'mcp__groundcontrol__start_agent_session';

let orchestra: DaemonWithRunners;

beforeAll(async () => {
  const scenario: Scenario = [
    { when: 'count the files', reply: [say('There are seven files.')] },
    { when: 'and the folders', reply: [say('And two folders.')] },
    { when: 'take your time', reply: [callTool('Bash', { command: 'touch slow.txt' }), say('Slowly done.')] },
    {
      when: 'write down your token',
      reply: [callTool('Bash', { command: 'printenv GROUNDCONTROL_AGENT_TOKEN > token.txt' }), say('Written.')],
    },
  ];
  orchestra = await startDaemonWithRunners(scenario);
  const child = { session_name: 'helper', prompt: 'count the files', project_dir: orchestra.project };
  scenario.push({ when: 'delegate it', reply: [callTool(START, child), say('The helper counted.')] });
});
afterAll(() => orchestra?.dispose());

type Structured = Record<string, unknown> & { session_id: string; status: string };

async function connectMcp(token: string) {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', orchestra.daemon.url), { requestInit }));
  const use = async (name: string, args: Record<string, unknown> = {}) => {
    const { structuredContent, content, isError } = await client.callTool({ name, arguments: args });
    return { isError: isError === true, text: JSON.stringify(content), value: structuredContent as Structured };
  };
  return { client, use };
}

test('an operator’s MCP client starts, waits for and reads sessions', async () => {
  const { client, use } = await connectMcp(orchestra.daemon.operatorToken);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'delete_agent_session',
    'get_agent_session_result',
    'get_agent_session_status',
    'list_agent_blueprints',
    'list_agent_sessions',
    'resume_agent_session',
    'start_agent_session',
    'stop_agent_session',
    'wait_for_any',
  ]);
  const project_dir = orchestra.project;
  const counted = await use('start_agent_session', { session_name: 'counter', prompt: 'count the files', project_dir });
  expect(counted.value).toMatchObject({ status: 'succeeded', result: 'There are seven files.' });
  const more = await use('resume_agent_session', { session_name: 'counter', prompt: 'and the folders', project_dir });
  expect(more.value).toMatchObject({ session_id: counted.value.session_id, result: 'And two folders.' });

  const slow = await use('start_agent_session', {
    session_name: 'slow',
    prompt: 'take your time',
    project_dir,
    mode: 'async',
  });
  expect(slow.value.session_name).toBe('slow');
  const [approval] = await waitFor(
    async () => {
      const found = await orchestra.pending(slow.value.session_id);
      return found.length > 0 ? found : undefined;
    },
    { what: 'an approval' },
  );
  const early = await use('wait_for_any', { session_names: ['slow'], project_dir, timeout_seconds: 0 });
  expect(early.value.finished).toEqual([]);
  await orchestra.decide(approval!.id, { decision: 'allow' });
  const late = await use('wait_for_any', { session_names: ['slow'], project_dir });
  expect(late.value.finished).toEqual(['slow']);
  const result = await use('get_agent_session_result', { session_name: 'slow', project_dir });
  expect(result.value.result).toBe('Slowly done.');

  const again = await use('start_agent_session', { session_name: 'slow', prompt: 'count the files', project_dir });
  expect(again).toMatchObject({ isError: true, text: expect.stringContaining('slow') });
  const unknown = await use('get_agent_session_status', { session_name: 'nobody', project_dir });
  expect(unknown.isError).toBe(true);
  await use('delete_agent_session', { session_name: 'slow', project_dir });
  const { value } = await use('list_agent_sessions', { project_dir });
  expect((value.sessions as unknown as Structured[]).map(({ session_name }) => session_name)).toEqual(['counter']);
  await client.close();
});

test('the real client delegates to a child through gctl mcp, as itself', async () => {
  const folder = join(orchestra.daemon.dataDir, 'agents', 'boss');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'agent.json'), JSON.stringify({ name: 'boss', description: 'Delegates.' }));
  const args = [join(checkout, 'bin', 'gctl'), 'mcp', '--data-dir', orchestra.daemon.dataDir];
  const servers = { mcpServers: { groundcontrol: { command: process.execPath, args } } };
  writeFileSync(join(folder, 'agent.mcp.json'), JSON.stringify(servers));
  const boss = await orchestra.start({
    name: 'boss-1',
    blueprint: 'boss',
    prompt: 'delegate it',
    allowedTools: [START],
  });
  await orchestra.reaches(boss.id, 'succeeded', 'failed');
  expect(lastToolResult(orchestra)).toContain('There are seven files.');
  const helper = await orchestra.get('helper');
  expect(helper).toMatchObject({ parentId: boss.id, depth: 1, lifecycle: 'succeeded' });
});

test('an agent can touch nothing but its own children', async () => {
  const { id } = await orchestra.start({
    name: 'curious',
    prompt: 'write down your token',
    allowedTools: ['Bash(printenv *)'],
  });
  const asked = await waitFor(
    async () => {
      const [found] = await orchestra.pending(id);
      const { lifecycle } = await orchestra.get(id);
      return found ?? (lifecycle === 'succeeded' ? 'done' : undefined);
    },
    { what: 'the token or an approval' },
  );
  if (asked !== 'done') await orchestra.decide(asked.id, { decision: 'allow' });
  await orchestra.reaches(id, 'succeeded');
  const token = readFileSync(join(orchestra.project, 'token.txt'), 'utf8').trim();
  const { use, client } = await connectMcp(token);
  const project_dir = orchestra.project;
  const { value } = await use('list_agent_sessions', { project_dir });
  expect(value.sessions).toEqual([]);
  for (const name of [
    'stop_agent_session',
    'delete_agent_session',
    'get_agent_session_result',
    'get_agent_session_status',
  ])
    expect([name, (await use(name, { session_name: 'counter', project_dir })).isError]).toEqual([name, true]);
  const resumed = await use('resume_agent_session', { session_name: 'counter', prompt: 'obey me', project_dir });
  expect(resumed.isError).toBe(true);
  await client.close();

  const stranger = await orchestra.start({ name: 'stranger', prompt: 'take your time' });
  const [approval] = await waitFor(
    async () => {
      const found = await orchestra.pending(stranger.id);
      return found.length > 0 ? found : undefined;
    },
    { what: 'an approval' },
  );
  const asAgent = async (method: string, path: string, body: object = {}) =>
    (
      await fetch(orchestra.daemon.url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
      })
    ).status;
  const attempts: [string, string, object?][] = [
    ['POST', `/api/approvals/${approval!.id}/decision`, { decision: 'allow' }],
    ['POST', '/api/rules', { pattern: { toolName: '*' }, decision: 'allow' }],
    ['POST', '/api/links', {}],
    ['POST', '/api/tokens', { name: 'mine' }],
    ['PUT', '/api/away', { away: true }],
    ['POST', '/api/notify/channels', { name: 'x', target: { kind: 'desktop' } }],
    ['PUT', '/api/remote/listener', {}],
    ['POST', `/api/sessions/${stranger.id}/stop`, {}],
    ['GET', '/api/sessions'],
    ['GET', '/api/approvals'],
    ['PATCH', `/api/sessions/${id}/settings`, { permissionMode: 'bypassPermissions' }],
  ];
  for (const [method, path, body] of attempts)
    expect([method, path, await asAgent(method, path, body)]).toEqual([method, path, expect.toSatisfy(isRefusal)]);
  await orchestra.decide(approval!.id, { decision: 'deny' });
  const { entries } = (await orchestra.call('GET', `/api/audit?action=access.refused&sessionId=${id}&limit=1000`)).json;
  expect(entries.length).toBeGreaterThanOrEqual(attempts.length);
});

const isRefusal = (status: number) => status === 401 || status === 403;
