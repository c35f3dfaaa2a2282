import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Approval } from '../../src/contract/approvals.ts';
import { callTool, say, together } from '../kit/scripted-answer.ts';
import type { Scenario } from '../kit/scripted-api.ts';
import { waitFor } from '../kit/wait.ts';
import { lastToolResult, startWorld, type World } from '../kit/world.ts';

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

/** The next approval of this session, whatever it is about. */
const pending = ({ call, client }: World): Promise<Approval> =>
  waitFor(async () => (await call('GET', '/api/approvals?status=pending')).json.approvals[0], {
    what: 'an approval',
    timeout: 60_000,
    context: client.lastScreen,
  });

test('keeps every approval of parallel calls until it is decided, however the others were decided', async () => {
  const world = await startWorld(scenario, { args: ['--mcp-config', config] });
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
