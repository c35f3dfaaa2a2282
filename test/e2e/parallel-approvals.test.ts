import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Approval } from '../../src/contract/approvals.ts';
import { type DaemonWithClient, lastToolResult, startDaemonWithClient } from '../kit/daemon-with-client.ts';
import { callTool, say, together } from '../kit/scripted-answer.ts';
import type { Scenario } from '../kit/scripted-api.ts';
import { waitFor } from '../kit/wait.ts';

const server = fileURLToPath(new URL('../kit/elicit-server.mjs', import.meta.url));
const config = JSON.stringify({ mcpServers: { asker: { command: process.execPath, args: [server] } } });

const RUNS = [
  { name: 'first', decisions: ['deny', 'deny', 'deny'], afterMs: 0 },
  { name: 'second', decisions: ['deny', 'deny', 'deny'], afterMs: 2500 },
  { name: 'third', decisions: ['allow', 'deny', 'allow'], afterMs: 0 },
  { name: 'fourth', decisions: ['deny', 'allow', 'deny'], afterMs: 2500 },
] as const;

const files = (run: string) => ['a', 'b', 'c'].map((letter) => `${run}-${letter}`);

const scenario: Scenario = [
  ...RUNS.map(({ name }) => ({
    when: `the ${name} three`,
    reply: [
      together(...files(name).map((file) => callTool('Bash', { command: `touch ${file}` }))),
      say(`The ${name} three are done.`),
    ],
  })),
  { when: 'ask my name', reply: [callTool('mcp__asker__ask_name', {}), say('Hello there.')] },
];

/** The session's next approval, whatever it is about. */
const pending = ({ call, client }: DaemonWithClient): Promise<Approval> =>
  waitFor(async () => (await call('GET', '/api/approvals?status=pending')).json.approvals[0], {
    what: 'an approval',
    timeout: 60_000,
    context: client.lastScreen,
  });

test('keeps every approval of parallel calls until it is decided, however the others were decided', async () => {
  const world = await startDaemonWithClient(scenario, { args: ['--mcp-config', config] });
  const { client, home, call } = world;
  await call('PUT', '/api/away', { away: true });

  for (const { name, decisions, afterMs } of RUNS) {
    await client.prompt(`the ${name} three`);
    for (const [index, decision] of decisions.entries()) {
      const approval = await pending(world);
      expect(approval.toolInput).toMatchObject({ command: `touch ${files(name)[index]}` });
      await sleep(afterMs);
      expect(await call('POST', `/api/approvals/${approval.id}/decision`, { decision })).toMatchObject({ status: 200 });
    }
    await client.waitForScreen(new RegExp(`The ${name} three are done`));
    expect(files(name).map((file) => existsSync(join(home.project, file)))).toEqual(
      decisions.map((decision) => decision === 'allow'),
    );
  }
  const { approvals } = (await call('GET', '/api/approvals')).json;
  expect(approvals).toHaveLength(12);
  expect(new Set(approvals.map(({ status }: Approval) => status))).toEqual(new Set(['decided']));

  await client.prompt('ask my name');
  await call('POST', `/api/approvals/${(await pending(world)).id}/decision`, { decision: 'allow' });
  const question = await waitFor(
    async () =>
      (await call('GET', '/api/approvals')).json.approvals.find(({ kind }: Approval) => kind === 'elicitation'),
    { what: 'the elicitation', timeout: 60_000, context: client.lastScreen },
  );
  await sleep(2500);
  const decided = await call('POST', `/api/approvals/${question.id}/decision`, {
    decision: 'allow',
    updatedInput: { name: 'Ada' },
  });
  expect(decided).toMatchObject({ status: 200 });
  await client.waitForScreen(/Hello there\./);
  expect(lastToolResult(world)).toContain('Ada');
});

test('parallel questions: identical reads count once, and neither prompts nor other agents settle a question', async () => {
  const read = callTool('Read', { file_path: '/etc/hostname' });
  const world = await startDaemonWithClient(
    [
      { when: 'read it', reply: [together(read, read, read), say('I have read it.')] },
      { when: 'dig', from: 'subagent', reply: [callTool('Bash', { command: 'touch dug' }), say('Dug.')] },
      {
        when: 'delegate',
        reply: [
          callTool('Agent', { description: 'dig', prompt: 'dig', subagent_type: 'general-purpose' }),
          say('Sent.'),
        ],
      },
      { when: 'and talk', reply: [say('Talking.')] },
      { when: 'ask my name', reply: [callTool('mcp__asker__ask_name', {}), say('Hello there.')] },
    ],
    { args: ['--mcp-config', config] },
  );
  const { client, home, call } = world;
  await call('PUT', '/api/away', { away: true });
  await call('POST', '/api/rules', { pattern: { toolName: 'mcp__asker__*' }, decision: 'allow' });
  const decide = (id: string, more: object = {}) =>
    call('POST', `/api/approvals/${id}/decision`, { decision: 'allow', ...more });
  const still = async () => (await call('GET', '/api/approvals?status=pending')).json.approvals;

  await client.prompt('read it');
  const reading = await pending(world);
  await client.waitForScreen(/3 of 3|1 of 3/);
  expect(await still()).toHaveLength(1);
  expect((await decide(reading.id)).json).toMatchObject({ delivery: { state: 'delivered' } });
  await client.waitForScreen(/I have read it/);
  expect(await still()).toEqual([]);

  // the main agent keeps working while its subagent asks
  await client.prompt('delegate');
  const digging = await pending(world);
  expect(digging.agentId).toBeDefined();
  await client.waitForScreen(/Sent\./);
  await client.prompt('and talk');
  await client.waitForScreen(/Talking\./);
  await sleep(2500);
  expect(await still()).toMatchObject([{ id: digging.id }]);
  expect((await decide(digging.id)).json).toMatchObject({ delivery: { state: 'delivered' } });
  await waitFor(() => existsSync(join(home.project, 'dug')), { what: 'the subagent to go on', timeout: 30_000 });

  // a prompt typed while an MCP server asks joins the turn
  await client.waitForStatus('idle');
  await client.prompt('ask my name');
  const question = await pending(world);
  await client.prompt('and talk');
  await sleep(1500);
  expect(await still()).toMatchObject([{ id: question.id }]);
  expect((await decide(question.id, { updatedInput: { name: 'Ada' } })).json).toMatchObject({
    delivery: { state: 'delivered' },
  });
  await waitFor(async () => (await still()).length === 0, { what: 'nothing pending' });
});
