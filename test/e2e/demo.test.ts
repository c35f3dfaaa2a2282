import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { Approval } from '../../src/contract/approvals.ts';
import { GROUPS } from '../../src/contract/groups.ts';
import type { LiveSession } from '../../src/contract/sessions.ts';
import { apiCaller } from '../kit/call-api.ts';
import { cleanEnv } from '../kit/daemon-process.ts';
import { pair } from '../kit/pair.ts';
import { isAlive } from '../kit/processes.ts';
import { gctlBinary, makeGctlHome } from '../kit/run-gctl.ts';
import { waitFor } from '../kit/wait.ts';

const Greeting = z.object({ url: z.string(), link: z.string(), dataDir: z.string(), configDir: z.string() });

/** Everything below a folder, with what would reveal a change. */
function snapshot(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const { mtimeMs, size } = statSync(join(folder, name));
      return [name, `${mtimeMs} ${size}`];
    }),
  );
}

async function startDemo(...args: string[]) {
  const { home, configDir, dataDir, run } = makeGctlHome();
  const temp = join(home, 'temp');
  for (const folder of [temp, dataDir]) mkdirSync(folder);
  writeFileSync(join(configDir, 'settings.json'), '{ "model": "opus" }\n');
  writeFileSync(join(dataDir, 'preferences.json'), '{ "hooks": "yes" }\n');
  const before = snapshot(home);
  const child = spawn(gctlBinary, ['demo', '--no-open', '--json', ...args], {
    env: cleanEnv(home, { TMPDIR: temp }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const greeting = await waitFor(() => Greeting.parse(JSON.parse(output)), {
    what: 'the demo to say its link',
    timeout: 90_000,
    context: () => output + errors,
  });
  const call = apiCaller({ url: greeting.url, operatorToken: await pair(greeting.link) });
  const sessions = async () => (await call('GET', '/api/sessions')).json.sessions as LiveSession[];
  return {
    ...greeting,
    call,
    sessions,
    session: async (title: string) => (await sessions()).find((one) => one.title.includes(title))!,
    errors: () => errors,
    gctl: (...args: string[]) => run(args, { env: { TMPDIR: temp } }),
    untouched: () => expect(snapshot(home)).toEqual({ ...before, temp: expect.anything() }),
    async interrupt() {
      child.kill('SIGINT');
      return exited;
    },
  };
}

test('a newcomer sees a fleet, answers it, stops one, and nothing is left behind', async () => {
  const demo = await startDemo('--scene', 'still', '--speed', '20');

  const seen = await waitFor(
    async () => {
      const all = await demo.sessions();
      return all.length === 14 && all.every(({ attention }) => attention !== 'settling') ? all : undefined;
    },
    { what: '14 sessions in their places' },
  );
  expect(GROUPS.map((group) => seen.filter(({ agentState }) => agentState.group === group).length)).toEqual([7, 5, 2]);
  expect(seen.map(({ agentState }) => agentState.state)).toEqual(
    expect.arrayContaining([
      'needs_permission',
      'awaiting_input',
      'awaiting_approval',
      'error',
      'interrupted',
      'idle',
      'thinking',
      'acting',
      'unknown',
      'task_complete',
      'session_ended',
    ]),
  );
  const refactor = await demo.session('hard-coded color');
  expect(refactor.subAgents).toHaveLength(4);
  expect(refactor.subAgents.filter(({ parentId }) => parentId !== null)).toHaveLength(2);

  // commands in other terminals find the demo and say so
  const status = await demo.gctl('status');
  expect(status).toMatchObject({ code: 0, stderr: `gctl: using the demo at ${demo.url}\n` });
  expect(status.stdout).toMatch(/^Ground Control demo at .*\n\nNeeds you /);
  expect((await demo.gctl('down')).code).toBe(3);

  // the hooks stay out of all settings, including the demo's own
  expect((await demo.call('GET', '/api/hooks')).json).toMatchObject({ consent: 'no', state: 'missing' });
  expect(readdirSync(demo.configDir).sort()).toEqual(['projects', 'sessions']);
  expect((await demo.call('GET', '/api/rules')).json.rules.length).toBeGreaterThan(5);
  expect((await demo.call('GET', '/api/reviews')).json.groups.length).toBeGreaterThan(5);

  const release = await demo.session('2.4.0 release');
  const pending = (await demo.call('GET', '/api/approvals?status=pending')).json.approvals as Approval[];
  expect(pending.map(({ kind }) => kind).sort()).toEqual(['permission', 'permission', 'plan', 'question']);
  const push = pending.find(({ sessionId }) => sessionId === release.id)!;
  await demo.call('POST', `/api/approvals/${push.id}/decision`, { decision: 'deny', message: 'Not on a Friday.' });
  await waitFor(async () => (await demo.session('2.4.0 release')).agentState.state === 'idle', {
    what: 'the agent to take another way and finish',
    context: demo.errors,
  });
  expect(readFileSync(release.transcriptPath!, 'utf8')).toContain('Understood: Not on a Friday.');

  // once it is idle it takes a prompt
  await demo.call('POST', `/api/sessions/${release.id}/prompt`, { text: 'Say what is left to do.' });
  await waitFor(async () => readFileSync(release.transcriptPath!, 'utf8').includes('On it: Say what is left'), {
    what: 'the agent to work on the prompt',
  });

  const flaky = await demo.session('webhooks.test.ts');
  const { json: stop } = await demo.call('POST', `/api/sessions/${flaky.id}/stop`, { wait: true });
  expect(stop).toMatchObject({ state: 'stopped', receipt: { leftPids: [] } });
  expect(stop.receipt.killedPids.length).toBeGreaterThan(0);
  expect((await demo.session('webhooks.test.ts')).agentState.state).toBe('interrupted');

  const pids = (await demo.sessions()).flatMap(({ pid, endedAt }) => (pid === null || endedAt ? [] : [pid]));
  expect(pids.length).toBeGreaterThanOrEqual(12);
  expect(await demo.interrupt()).toBe(0);
  expect(demo.errors()).toBe('');
  demo.untouched();
  await waitFor(() => pids.every((pid) => !isAlive(pid)), { what: 'the agents to be gone' });
});
