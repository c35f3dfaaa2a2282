import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { Prompt } from '../../src/contract/prompts.ts';
import type { LiveSession } from '../../src/contract/sessions.ts';
import { apiCaller } from '../kit/call-api.ts';
import { startDaemonProcess } from '../kit/daemon-process.ts';
import { type DaemonWithClient, startDaemonWithClient } from '../kit/daemon-with-client.ts';
import { runHeadless } from '../kit/real-client.ts';
import { runGctl } from '../kit/run-gctl.ts';
import { callTool, say, thinkForever } from '../kit/scripted-answer.ts';
import type { Scenario } from '../kit/scripted-api.ts';
import { waitFor } from '../kit/wait.ts';

const make = (name: string) => ({
  when: `make ${name}`,
  reply: [callTool('Bash', { command: `touch ${name}.txt` }), say(`Made ${name}.`)],
});
const scenario: Scenario = [
  ...['one', 'two', 'three', 'four', 'five'].map(make),
  { when: 'think hard', reply: [thinkForever()] },
  { when: 'run long', reply: [callTool('Bash', { command: 'until [ -f go ]; do sleep 0.1; done' }), say('It went.')] },
];

/** Runs everything without asking, so that the test is only about prompts. */
async function startTold() {
  const world = await startDaemonWithClient(scenario, { args: ['--allowedTools', 'Bash'] });
  const id = await world.client.sessionId();
  const context = () => world.client.lastScreen();
  return {
    ...world,
    id,
    tell: async (text: string) => (await world.call('POST', `/api/sessions/${id}/prompt`, { text })).json,
    made: (name: string) =>
      waitFor(() => existsSync(join(world.home.project, `${name}.txt`)), {
        what: `${name}.txt`,
        timeout: 60_000,
        context,
      }),
    /** Idle, and ready for a prompt. */
    listens: () =>
      waitFor(async () => (await world.call('GET', `/api/sessions/${id}/prompts`)).json.waitsFor === null, {
        what: 'the session to listen',
        timeout: 60_000,
        context,
      }),
    /** Working, and the daemon knows: the pid file says busy a little before the hook arrives. */
    works: async () => {
      await world.client.waitForStatus('busy');
      await waitFor(async () => (await world.call('GET', `/api/sessions/${id}/prompts`)).json.waitsFor !== null, {
        what: 'the daemon to see the session at work',
        timeout: 60_000,
        context,
      });
    },
    prompts: async (call = world.call): Promise<Prompt[]> =>
      (await call('GET', `/api/sessions/${id}/prompts`)).json.prompts,
  };
}

const outcome = ({ text, status }: Prompt) => `${text}: ${status}`;

/** How often the model got this prompt. */
const turnsOn = ({ api }: Pick<DaemonWithClient, 'api'>, text: string) =>
  api.requests.filter(({ kind, turn }) => kind === 'turn' && turn.step === 0 && turn.prompt.includes(text)).length;

test('a prompt wakes an idle terminal before its first turn and after later ones', async () => {
  const world = await startTold();
  const { client, api, tell, made, listens, works, prompts, call, id, daemon } = world;

  await listens();
  expect(await tell('make one')).toMatchObject({ status: 'delivered' });
  await made('one');
  // the person at the terminal sees what was sent, and by whom
  await client.waitForScreen(/Prompt from Ground Control[\s\S]*says: .+: make one/);
  const [asked] = api.requests.filter(({ turn }) => turn.prompt.includes('make one'));
  expect(JSON.stringify(asked?.body.messages)).toContain('The operator of this session sent you this prompt');

  // text that was being typed stays
  await listens();
  await client.type('half a sentence');
  const { stdout } = await runGctl(daemon.home, ['tell', id.slice(0, 8), 'make', 'two', '--wait', '--json']);
  expect(Prompt.parse(JSON.parse(stdout))).toMatchObject({ sessionId: id, text: 'make two', status: 'delivered' });
  await made('two');
  await client.waitForScreen(/Made two\.[\s\S]*❯\s+half a sentence/);
  await client.press('C-u');

  // Esc fires no hook, and the session still gets the prompt
  await listens();
  await client.prompt('think hard');
  await works();
  expect(await tell('make three')).toMatchObject({ status: 'queued', note: expect.stringContaining('turn ends') });
  await client.press('Escape');
  await made('three');

  await listens();
  expect((await prompts()).map(outcome)).toEqual([
    'make one: delivered',
    'make two: delivered',
    'make three: delivered',
  ]);
  expect(await call('GET', `/api/sessions/${id}`)).toMatchObject({
    json: { lastUserMessage: 'make three', queuedPrompts: 0, agentState: { state: 'idle' } },
  });
});

test("refuses the client's input-line commands, or sends them as text on request", async () => {
  const { client, api, tell, listens, call, id, daemon } = await startTold();
  await listens();
  for (const text of ['/compact', '/clear', '!touch one.txt'])
    expect(await call('POST', `/api/sessions/${id}/prompt`, { text })).toMatchObject({
      status: 409,
      json: { error: { code: 'prompt.client_command', message: expect.stringContaining('Type it in the terminal') } },
    });
  const gctl = (...args: string[]) => runGctl(daemon.home, args);
  expect(await gctl('tell', id, '/compact')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("/compact is a command for Claude Code's own input line"),
  });
  expect((await call('GET', `/api/sessions/${id}/prompts`)).json.prompts).toEqual([]);

  expect(await gctl('tell', id, '--as-text', '--wait', '/compact')).toMatchObject({ code: 0 });
  await waitFor(() => api.requests.some(({ turn }) => turn.prompt.includes('/compact')), { what: 'the text' });
  await client.waitForScreen(/says: .+: \/compact/);
  await listens();
  expect(await tell('make one')).toMatchObject({ status: 'delivered' });
});

test('prompts to a busy session wait for its Stop: in order, one per turn, each once', async () => {
  const world = await startTold();
  const { client, home, tell, made, prompts, listens, works } = world;
  await listens();
  await client.prompt('run long');
  await works();
  for (const text of ['make one', 'make two', 'make three'])
    expect(await tell(text)).toMatchObject({ status: 'queued' });
  const [, second] = await prompts();
  expect(await world.call('DELETE', `/api/prompts/${second?.id}`)).toMatchObject({ status: 204 });
  expect(existsSync(join(home.project, 'one.txt'))).toBe(false);

  writeFileSync(join(home.project, 'go'), '');
  await made('one');
  await made('three');
  await listens();
  expect((await prompts()).map(outcome)).toEqual([
    'make one: delivered',
    'make two: cancelled',
    'make three: delivered',
  ]);
  expect(existsSync(join(home.project, 'two.txt'))).toBe(false);
  expect(['make one', 'make two', 'make three'].map((text) => turnsOn(world, text))).toEqual([1, 0, 1]);
});

test('prompts from before the daemon was killed are delivered by the next one', async () => {
  const world = await startTold();
  const { client, home, daemon, tell, made, prompts, listens, works } = world;
  await listens();
  await client.prompt('run long');
  await works();
  expect(await tell('make four')).toMatchObject({ status: 'queued' });
  await daemon.kill('SIGKILL');

  const next = await startDaemonProcess({
    home: daemon.home,
    args: ['--hooks', '--port', String(daemon.port)],
    env: { CLAUDE_CONFIG_DIR: home.configDir },
  });
  onTestFinished(next.dispose);
  const call = apiCaller(next);
  expect((await prompts(call)).map(outcome)).toEqual(['make four: queued']);
  writeFileSync(join(home.project, 'go'), '');
  await made('four');
  expect((await prompts(call)).map(outcome)).toEqual(['make four: delivered']);
  expect(turnsOn(world, 'make four')).toBe(1);
});

test('the waiting hook exits with its session, and an ended session gets nothing', async () => {
  const { client, listens, call, id, daemon } = await startTold();
  const waiting = async () => {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'args=']);
    // everyone on the machine can read this
    expect(stdout).not.toContain(daemon.credentials.hookToken);
    return stdout.split('\n').filter((line) => line.includes(`127.0.0.1:${daemon.port}/api/live/rewake`)).length;
  };
  await listens();
  expect(await waiting()).toBeGreaterThan(0);
  await client.exit();
  await waitFor(async () => (await waiting()) === 0, { what: 'the waiting hook to end', timeout: 60_000 });
  await waitFor(async () => (await call('GET', `/api/sessions/${id}`)).json.status === 'done', {
    what: 'the end of the session',
    timeout: 60_000,
  });
  const refused = await call('POST', `/api/sessions/${id}/prompt`, { text: 'make five' });
  expect(refused).toMatchObject({
    status: 409,
    json: { error: { code: 'session.ended', message: expect.stringContaining(`claude --resume ${id}`) } },
  });
});

test('`claude -p` has no waiting hook, which would keep it from exiting', async () => {
  const { home, call } = await startTold();
  const sessions = async (): Promise<LiveSession[]> => (await call('GET', '/api/sessions')).json.sessions;
  const log = join(home.project, 'curl.log');
  const bin = join(home.project, 'bin');
  mkdirSync(bin);
  const { stdout } = await promisify(execFile)('sh', ['-c', 'command -v curl']);
  writeFileSync(join(bin, 'curl'), `#!/bin/sh\necho "$*" >> '${log}'\nexec ${stdout.trim()} "$@"\n`, { mode: 0o755 });
  const headless = (prompt: string) =>
    runHeadless(home, prompt, { args: ['--allowedTools', 'Bash'], env: { PATH: `${bin}:${home.env.PATH}` } });
  expect(await headless('make five')).toMatchObject({ code: 0, stdout: 'Made five.\n' });
  expect(existsSync(log)).toBe(false);

  // it gets nothing, neither now nor later
  const known = new Set((await sessions()).map(({ id }) => id));
  const running = headless('run long');
  const { id } = await waitFor(async () => (await sessions()).find((one) => !known.has(one.id) && one.noPrompts), {
    what: 'the headless session',
    timeout: 60_000,
  });
  expect(await call('POST', `/api/sessions/${id}/prompt`, { text: 'make one' })).toMatchObject({
    status: 409,
    json: { error: { code: 'prompt.unsupported', message: expect.stringContaining('headless (claude -p)') } },
  });
  writeFileSync(join(home.project, 'go'), '');
  expect(await running).toMatchObject({ code: 0, stdout: 'It went.\n' });
  expect((await call('GET', `/api/sessions/${id}/prompts`)).json.prompts).toEqual([]);
});
