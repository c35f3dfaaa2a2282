import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Approval } from '../../src/contract/approvals.ts';
import { apiCaller } from '../kit/call-api.ts';
import { type ClientHome, makeClientHome } from '../kit/client-home.ts';
import { type DaemonProcess, startDaemonProcess } from '../kit/daemon-process.ts';
import { color } from '../kit/questions.ts';
import { type InteractiveClient, startInteractive } from '../kit/real-client.ts';
import { runGctl } from '../kit/run-gctl.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { type Scenario, type ScriptedApi, startScriptedApi } from '../kit/scripted-api.ts';
import { waitFor } from '../kit/wait.ts';

const make = (name: string) => ({
  when: `make ${name}`,
  reply: [callTool('Bash', { command: `touch ${name}.txt` }), say(`Made ${name}.`)],
});
const scenario: Scenario = [
  ...['one', 'two', 'three', 'four'].map(make),
  { when: 'ask one', reply: [callTool('AskUserQuestion', { questions: [color] }), say('Thanks for one.')] },
];

let api: ScriptedApi;
let home: ClientHome;
let daemon: DaemonProcess;
let client: InteractiveClient;
let call: ReturnType<typeof apiCaller>;
let id: string;

beforeAll(async () => {
  api = await startScriptedApi(scenario);
  home = await makeClientHome({ apiUrl: api.url });
  daemon = await startDaemonProcess({ args: ['--hooks'], env: { CLAUDE_CONFIG_DIR: home.configDir } });
  call = apiCaller(daemon);
  client = await startInteractive(home);
  id = await client.sessionId();
});
afterAll(async () => {
  await client?.dispose();
  await daemon?.dispose();
  await home?.dispose();
  await api?.close();
});

const gctl = (...args: string[]) => runGctl(daemon.home, args);
const made = (name: string) => existsSync(join(home.project, `${name}.txt`));

/** Sends a prompt and waits for the resulting approval. */
async function askedBy(prompt: string): Promise<Approval> {
  await client.prompt(prompt);
  return waitFor(async () => (await call('GET', '/api/approvals?status=pending')).json.approvals[0], {
    what: 'an approval',
    timeout: 60_000,
    context: client.lastScreen,
  });
}

async function untilState(state: string, label: string): Promise<void> {
  await expect
    .poll(async () => (await call('GET', `/api/sessions/${id}`)).json.agentState, { timeout: 60_000 })
    .toMatchObject({ state, label });
  await client.waitForStatus('idle');
}

test('a No at the keyboard is shown as a denial, not as an interruption', async () => {
  await askedBy('make one');
  const dialog = await client.waitForScreen(/Do you want to proceed[\s\S]*\d\. No/);
  const no = /(\d)\. No/.exec(dialog)![1]!;
  // a new dialog doesn't take keys yet
  await waitFor(
    async () => {
      await client.type(no);
      return client.waitForScreen((screen) => !/Do you want to proceed/.test(screen), { timeout: 3000 });
    },
    { what: 'the dialog to take the key', timeout: 60_000 },
  );
  await untilState('idle', 'Denied: Bash');
  expect(made('one')).toBe(false);
});

test('a remote deny that ends the turn is shown as a denial, not as an interruption', async () => {
  const { id: approval } = await askedBy('make one');
  expect(await gctl('deny', approval, '--interrupt')).toMatchObject({ code: 0 });
  await client.waitForScreen(/Interrupted/);
  await untilState('idle', 'Denied: Bash');
  expect(made('one')).toBe(false);
});

test('an edited input that the client would reject is refused, and can be corrected', async () => {
  const { id: approval } = await askedBy('make two');
  for (const [input, reason] of [
    ['{"command": 5}', '"command" of Bash must be a string, not a number.'],
    ['{"cmd": "touch edited.txt"}', 'Bash needs "command".'],
    ['{}', 'The edited input is empty.'],
  ] as const)
    expect(await gctl('allow', approval, '--input', input)).toMatchObject({ code: 2, stderr: `gctl: ${reason}\n` });
  expect((await call('GET', `/api/approvals/${approval}`)).json.status).toBe('pending');
  expect(await gctl('allow', approval, '--input', '{"command": "touch edited.txt"}')).toMatchObject({ code: 0 });
  await client.waitForScreen(/Made two\./);
  expect([made('two'), made('edited')]).toEqual([false, true]);
});

test("rejects an option that doesn't exist", async () => {
  const { id: approval } = await askedBy('ask one');
  expect(await gctl('answer', approval, '7')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"Which color?" has options 1 to 2, not 7.'),
  });
  expect((await call('GET', `/api/approvals/${approval}`)).json.status).toBe('pending');
  expect(await gctl('answer', approval, '2')).toMatchObject({ code: 0 });
  await client.waitForScreen(/Thanks for one\./);
});

test('allow --always saves the suggested rule, and the same call is not asked again', async () => {
  await client.waitForStatus('idle');
  const { id: approval } = await askedBy('make three');
  const allowed = await gctl('allow', approval, '--always');
  expect(allowed).toMatchObject({ code: 0, stderr: '' });
  expect(allowed.stdout).toMatch(/New rule: Allow Bash, if every command in it matches `touch three\.txt`/);
  await client.waitForScreen(/Made three\./);
  expect((await call('GET', '/api/rules')).json.rules).toMatchObject([
    {
      scope: 'project',
      project: home.project,
      decision: 'allow',
      pattern: { toolName: 'Bash', parameters: { command: 'touch three.txt' } },
    },
  ]);
  await client.waitForStatus('idle');
  const before = (await call('GET', '/api/approvals')).json.approvals.length;
  await client.prompt('make three');
  await client.waitForScreen((screen) => screen.split('Made three.').length === 3);
  expect((await call('GET', '/api/approvals')).json.approvals).toHaveLength(before);

  await call('POST', '/api/rules', {
    decision: 'ask',
    pattern: { toolName: 'Bash', parameters: { command: 'touch *' } },
  });
  const { id: ruled } = await askedBy('make four');
  expect(await gctl('allow', ruled, '--always')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/No rule was created, because it wouldn't apply: Asked by rule/),
  });
  expect((await call('GET', `/api/approvals/${ruled}`)).json.status).toBe('pending');
  expect(await gctl('allow', ruled)).toMatchObject({ code: 0 });
  await client.waitForScreen(/Made four\./);
});

test('/compact prints no line about our hooks', async () => {
  await client.waitForStatus('idle');
  await client.prompt('/compact');
  // a list that opens under the command may swallow the key
  await waitFor(async () => !/^❯\s\/compact\s*$/m.test(await client.screen()), {
    what: 'the command to be taken',
    timeout: 5000,
  }).catch(() => client.press('Enter'));
  const screen = await client.waitForScreen(/Compacted/);
  expect(screen).not.toMatch(/PreCompact|PostCompact|completed successfully/);
  await untilState('idle', 'Context compacted');
});
