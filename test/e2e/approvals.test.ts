import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Approval } from '../../src/contract/approvals.ts';
import { answerDialog } from '../kit/answer-dialog.ts';
import { type DaemonWithClient, lastToolResult, startDaemonWithClient } from '../kit/daemon-with-client.ts';
import { color, sizes } from '../kit/questions.ts';
import { callTool, say, writePlan } from '../kit/scripted-answer.ts';
import type { Scenario } from '../kit/scripted-api.ts';
import { waitFor } from '../kit/wait.ts';

const scenario: Scenario = [
  { when: 'make one', reply: [callTool('Bash', { command: 'touch one.txt' }), say('Made one.')] },
  { when: 'make two', reply: [callTool('Bash', { command: 'touch two.txt' }), say('So be it.')] },
  { when: 'make three', reply: [callTool('Bash', { command: 'touch three.txt' }), say('Made three.')] },
  { when: 'ask one', reply: [callTool('AskUserQuestion', { questions: [color] }), say('Thanks for one.')] },
  { when: 'ask many', reply: [callTool('AskUserQuestion', { questions: [color, sizes] }), say('Thanks for many.')] },
  { when: 'plan first', reply: [writePlan('# The plan'), callTool('ExitPlanMode', {}), say('Planning on.')] },
  { when: 'plan second', reply: [callTool('ExitPlanMode', { plan: '1. do it well' }), say('Going ahead.')] },
];

/** The approval that the client is waiting for. */
const pending = ({ call }: DaemonWithClient): Promise<Approval> =>
  waitFor(async () => (await call('GET', '/api/approvals?status=pending')).json.approvals[0], {
    what: 'an approval',
    timeout: 60_000,
  });

async function decide({ call }: DaemonWithClient, { id }: Approval, body: object): Promise<void> {
  expect(await call('POST', `/api/approvals/${id}/decision`, body)).toMatchObject({ status: 200 });
}

test('answers permissions, questions and plans from outside, and the terminal continues', async () => {
  const world = await startDaemonWithClient(scenario);
  const { client, home } = world;
  const made = (name: string) => existsSync(join(home.project, name));

  await client.prompt('make one');
  await decide(world, await pending(world), { decision: 'allow' });
  await client.waitForScreen(/Made one\./);
  expect(made('one.txt')).toBe(true);

  await client.prompt('make two');
  await decide(world, await pending(world), { decision: 'deny', message: 'Not on a Friday' });
  await client.waitForScreen(/So be it\./);
  expect(made('two.txt')).toBe(false);
  expect(lastToolResult(world)).toContain('Not on a Friday');

  await client.prompt('make three');
  await decide(world, await pending(world), { decision: 'allow', updatedInput: { command: 'touch edited.txt' } });
  await client.waitForScreen(/Made three\./);
  expect([made('three.txt'), made('edited.txt')]).toEqual([false, true]);

  await client.prompt('ask one');
  const question = await pending(world);
  expect(question).toMatchObject({ kind: 'question', toolInput: { questions: [{ question: 'Which color?' }] } });
  await decide(world, question, { decision: 'allow', answers: { 'Which color?': 'a warm gray' } });
  await client.waitForScreen(/Thanks for one\./);
  expect(lastToolResult(world)).toContain('a warm gray');

  await client.prompt('ask many');
  await decide(world, await pending(world), {
    decision: 'allow',
    answers: { 'Which color?': 'Blue', 'Which sizes?': ['Small', 'Large'] },
  });
  await client.waitForScreen(/Thanks for many\./);
  expect(lastToolResult(world)).toMatch(/Blue[\s\S]*Small, Large/);

  await client.press('BTab');
  await client.press('BTab');
  await client.waitForScreen(/plan mode/);
  await client.prompt('plan first');
  const plan = await pending(world);
  expect(plan).toMatchObject({ kind: 'plan', plan: '# The plan' });
  await decide(world, plan, { decision: 'deny', message: 'Write the tests first' });
  await client.waitForScreen(/Planning on\./);
  expect(lastToolResult(world)).toContain('Write the tests first');

  await client.prompt('plan second');
  await decide(world, await pending(world), { decision: 'allow' });
  await client.waitForScreen(/Going ahead\./);
  expect(lastToolResult(world)).toContain('approved');
});

test('settles the request when it is answered at the keyboard', async () => {
  const world = await startDaemonWithClient(scenario);
  const { client, call } = world;

  async function settledAs({ id }: Approval): Promise<string> {
    const settled = await waitFor(
      async () => {
        const { json } = await call('GET', `/api/approvals/${id}`);
        return json.status === 'pending' ? undefined : json;
      },
      { what: 'the approval to be settled', timeout: 60_000, context: client.lastScreen },
    );
    expect(settled.decision).toBeUndefined();
    return settled.status;
  }

  await client.prompt('make one');
  const permission = await pending(world);
  await answerDialog(client, /Do you want to proceed/, 'Enter');
  expect(await settledAs(permission)).toBe('answered_in_terminal');
  await client.waitForScreen(/Made one\./);

  await client.prompt('make two');
  const refused = await pending(world);
  await answerDialog(client, /Do you want to proceed/, 'Escape');
  expect(await settledAs(refused)).toBe('answered_in_terminal');
  await client.waitForStatus('idle');

  await client.prompt('ask one');
  const question = await pending(world);
  await answerDialog(client, /Enter to select/, 'Enter');
  expect(await settledAs(question)).toBe('answered_in_terminal');
  await client.waitForScreen(/Thanks for one\./);

  await client.press('BTab');
  await client.press('BTab');
  await client.waitForScreen(/plan mode/);
  await client.prompt('plan second');
  const plan = await pending(world);
  await answerDialog(client, /Exit plan mode/, 'Enter');
  expect(await settledAs(plan)).toBe('answered_in_terminal');
  await client.waitForScreen(/Going ahead\./);

  await client.prompt('make three');
  const left = await pending(world);
  await client.dispose();
  expect(await settledAs(left)).toBe('cancelled');
});
