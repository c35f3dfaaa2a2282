import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Stop } from '../../src/contract/sessions.ts';
import { readProcesses } from '../../src/daemon/processes/read-processes.ts';
import { launchBrowser } from '../kit/browser.ts';
import { apiCaller } from '../kit/call-api.ts';
import { type ClientHome, makeClientHome } from '../kit/client-home.ts';
import { cleanEnv, type DaemonProcess, startDaemonProcess } from '../kit/daemon-process.ts';
import { openPage } from '../kit/open-page.ts';
import { isAlive } from '../kit/processes.ts';
import { type ClientOptions, type InteractiveClient, runHeadless, startInteractive } from '../kit/real-client.ts';
import { gctlBinary, makeGctlHome } from '../kit/run-gctl.ts';
import { callTool, say, thinkForever } from '../kit/scripted-answer.ts';
import { type Scenario, type ScriptedApi, startScriptedApi } from '../kit/scripted-api.ts';
import { openTerminal } from '../kit/terminal.ts';
import { waitFor } from '../kit/wait.ts';

const run = promisify(execFile);

const LOOP = 'for i in $(seq 1 6000); do sleep 0.2; done';
/** What container runtimes do: a subreaper that adopts orphans and outlives its children. */
const REAPER = `setsid python3 -c '${[
  'import ctypes, os, subprocess, sys, time',
  'ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)',
  'subprocess.Popen(["sh", "-c", "(sh -c \\"$0\\" $1 &)", *sys.argv[1:]])',
  'time.sleep(600)',
].join('\n')}'`;
const agent = (prompt: string) =>
  callTool('Agent', { description: 'helper', prompt, subagent_type: 'general-purpose' });

const scenario: Scenario = [
  { when: 'task-notification', reply: [say('The helper has ended.')] },
  { when: 'sub: work', from: 'subagent', reply: [callTool('Bash', { command: LOOP }), say('Helper done.')] },
  { when: 'sub: think', from: 'subagent', reply: [thinkForever()] },
  { when: 'the word is', reply: [say('Noted.')] },
  { when: 'go on', reply: [say('Here I am again.')] },
  { when: 'think hard', reply: [thinkForever()] },
  { when: 'run long', reply: [callTool('Bash', { command: LOOP }), say('It ran.')] },
  { when: 'make a file', reply: [callTool('Bash', { command: 'touch made.txt' }), say('Made.')] },
  { when: 'delegate work', reply: [agent('sub: work'), say('Started it.')] },
  { when: 'delegate thought', reply: [agent('sub: think'), say('Started it.')] },
  {
    when: 'leave things running',
    reply: [
      callTool('Bash', { command: LOOP, run_in_background: true }),
      callTool('Bash', { command: `nohup sh -c '${LOOP}' left-nohup >/dev/null 2>&1 & echo started` }),
      callTool('Bash', { command: `setsid sh -c '${LOOP}' left-setsid >/dev/null 2>&1 & echo started` }),
      callTool('Bash', { command: `(setsid sh -c '${LOOP}' left-forked >/dev/null 2>&1 &) ; echo started` }),
      callTool('Bash', {
        command: `if command -v python3; then ${REAPER} '${LOOP}' left-adopted >/dev/null 2>&1 & fi; echo started`,
      }),
      callTool('Bash', { command: 'tmux -S "$TMPDIR/agents-tmux" -f /dev/null new-session -d; echo started' }),
      say('They run.'),
    ],
  },
];

let api: ScriptedApi;
let home: ClientHome;
let daemon: DaemonProcess;
let call: ReturnType<typeof apiCaller>;

beforeAll(async () => {
  api = await startScriptedApi(scenario);
  home = await makeClientHome({
    apiUrl: api.url,
    settings: { permissions: { allow: ['Bash'], ask: ['Bash(touch:*)'] } },
  });
  daemon = await startDaemonProcess({ args: ['--hooks'], env: { CLAUDE_CONFIG_DIR: home.configDir } });
  call = apiCaller(daemon);
});
afterAll(async () => {
  await daemon?.dispose();
  await home?.dispose();
  await api?.close();
});

interface Subject {
  client: InteractiveClient;
  id: string;
  /** A fact that only its context holds. */
  word: string;
}

let words = 0;

/** A terminal whose session has something to remember. */
async function open(options: ClientOptions = {}): Promise<Subject> {
  const client = await startInteractive(home, options);
  onTestFinished(client.dispose);
  const word = `pineapple-${process.pid}-${++words}`;
  await client.prompt(`the word is ${word}`);
  await client.waitForScreen(/Noted\./);
  await client.waitForStatus('idle');
  return { client, id: await client.sessionId(), word };
}

/** Processes with the session's mark: its tools, or everything. */
async function processesOf({ id }: Subject, { toolsOnly }: { toolsOnly: boolean }): Promise<string[]> {
  const all = (await readProcesses()).filter(({ mark }) => mark?.sessionId === id);
  return all.filter(({ mark }) => !toolsOnly || mark?.role === 'agent').map(({ pid, command }) => `${pid} ${command}`);
}

const sessions = async (): Promise<{ id: string }[]> => (await call('GET', '/api/sessions')).json.sessions;

async function untilToolRuns(subject: Subject, count = 1): Promise<void> {
  const tools = () => processesOf(subject, { toolsOnly: true });
  await waitFor(async () => (await tools()).filter((line) => line.includes('sleep 0.2')).length >= count, {
    what: 'the tool to run',
    timeout: 60_000,
    context: subject.client.lastScreen,
  });
}

/** Waits until the main agent or a subagent has asked the model, which doesn't respond. */
async function untilThinking(prompt: string): Promise<void> {
  const before = api.requests.length;
  await waitFor(() => api.requests.slice(before).some(({ turn }) => turn.prompt.includes(prompt)), {
    what: `the model to be asked "${prompt}"`,
    timeout: 60_000,
  });
}

const untilHeld = ({ id }: Pick<Subject, 'id'>) =>
  waitFor(async () => (await call('GET', `/api/approvals?status=pending&sessionId=${id}`)).json.approvals[0], {
    what: 'the approval',
    timeout: 60_000,
  });

async function stop({ id }: Pick<Subject, 'id'>, order: object = {}): Promise<Stop> {
  const { status, json } = await call('POST', `/api/sessions/${id}/stop`, { wait: true, ...order });
  expect(status, JSON.stringify(json)).toBe(200);
  expect(json).toMatchObject({ state: 'stopped', receipt: { leftPids: [], exitCode: 130 } });
  // the target is 3 s, and 10 s for a wedged client; a loaded machine gets more
  expect(json.stoppedAt - json.requestedAt).toBeLessThan(20_000);
  return json;
}

/** It can't be reached: the page says so, and its process keeps running. */
async function isNotReached({ id, client }: Subject, order: object = { waitSeconds: 1 }): Promise<Stop> {
  const { status, json } = await call('POST', `/api/sessions/${id}/stop`, { wait: true, ...order });
  expect(status, JSON.stringify(json)).toBe(202);
  expect(json).toMatchObject({
    state: 'stopping',
    receipt: null,
    unreached: { resume: `cd ${home.project} && claude --resume ${id}` },
  });
  expect(client.alive()).toBe(true);
  expect((await call('GET', `/api/sessions/${id}`)).json.stop).toEqual(json);
  return json;
}

/** The turn is over, the tools are gone, and the terminal takes the next prompt with its full context. */
async function isBackAtItsPrompt(subject: Subject, { receipt }: Stop): Promise<void> {
  const { client, id } = subject;
  expect(receipt).toMatchObject({ processEnded: false });
  expect(client.alive()).toBe(true);
  expect(await client.pidFile()).toMatchObject({ status: 'idle', sessionId: id });
  expect((await call('GET', `/api/sessions/${id}`)).json.agentState.group).toBe('needs_you');
  await client.prompt('go on');
  await client.waitForScreen(/Here I am again\./);
  knowsTheWord(subject);
  await waitFor(async () => (await call('GET', `/api/sessions/${id}`)).json.stop === null, {
    what: 'the session to be no longer stopped',
  });
  await client.waitForStatus('idle');
}

/** Nothing is left of it, and it can be resumed with its full context. */
async function hasEnded(subject: Subject, { receipt }: Stop): Promise<void> {
  const { client, id } = subject;
  expect(receipt).toMatchObject({ processEnded: true, resume: `cd ${home.project} && claude --resume ${id}` });
  expect(isAlive(client.pid)).toBe(false);
  expect(await processesOf(subject, { toolsOnly: false })).toEqual([]);
  // the watcher notices a moment later
  await expect
    .poll(async () => (await call('GET', `/api/sessions/${id}`)).json)
    .toMatchObject({ status: 'done', stop: { state: 'stopped' } });
  const resumed = await runHeadless(home, 'go on', { args: ['--resume', id] });
  expect(resumed).toMatchObject({ code: 0, stdout: 'Here I am again.\n' });
  knowsTheWord(subject);
}

function knowsTheWord({ word }: Subject): void {
  const asked = api.requests.findLast(({ turn }) => turn.prompt.includes('go on'));
  expect(JSON.stringify(asked?.body.messages)).toContain(word);
}

test("a thinking agent can't be reached: its process ends only on request", async () => {
  const subject = await open();
  const { client, id } = subject;
  const think = async () => {
    const thinking = untilThinking('think hard');
    await client.prompt('think hard');
    await thinking;
  };
  await think();
  expect((await isNotReached(subject)).unreached?.why).toMatch(/^No hook arrived within 1 s: it is thinking/);
  // Esc at the keyboard does what no hook can
  await client.press('Escape');
  await expect.poll(async () => (await call('GET', `/api/sessions/${id}`)).json.stop.state).toBe('stopped');
  const { stop: escaped } = (await call('GET', `/api/sessions/${id}`)).json;
  expect(escaped.receipt.steps.map(({ step }: { step: string }) => step)).toEqual(['hooks', 'unreached', 'verified']);
  await isBackAtItsPrompt(subject, escaped);

  await think();
  await isNotReached(subject);
  await hasEnded(subject, await stop(subject, { kill: true }));
});

test('a thinking agent ends with its process on request', async () => {
  const subject = await open();
  const thinking = untilThinking('think hard');
  await subject.client.prompt('think hard');
  await thinking;
  await hasEnded(subject, await stop(subject, { waitSeconds: 0.5, ifUnreached: 'end' }));
});

test('an agent in the middle of a tool', async () => {
  const subject = await open();
  await subject.client.prompt('run long');
  await untilToolRuns(subject);
  const stopped = await stop(subject);
  expect(stopped.receipt?.killedPids.length).toBeGreaterThan(0);
  await isBackAtItsPrompt(subject, stopped);
  // the hook that ended the turn is only registered during the stop
  const { events } = (await call('GET', `/api/sessions/${subject.id}/events?from=end&brief=true`)).json;
  expect(events.map(({ name }: { name: string }) => name)).toContain('PostToolBatch');
  const settings = () => readFileSync(join(home.configDir, 'settings.json'), 'utf8');
  await waitFor(() => !settings().includes('PostToolBatch'), { what: 'the hook to be removed' });
  expect(settings()).toContain('PostToolUseFailure');

  await subject.client.prompt('run long');
  await untilToolRuns(subject);
  await hasEnded(subject, await stop(subject, { kill: true }));
});

test('an agent that waits for a permission', async () => {
  const subject = await open();
  await subject.client.prompt('make a file');
  const { id } = await untilHeld(subject);
  await isBackAtItsPrompt(subject, await stop(subject));
  expect((await call('GET', `/api/approvals/${id}`)).json).toMatchObject({ decision: { decision: 'deny' } });

  await subject.client.prompt('make a file');
  await untilHeld(subject);
  await hasEnded(subject, await stop(subject, { kill: true }));
});

test('an agent whose subagent works', async () => {
  const subject = await open();
  await subject.client.prompt('delegate work');
  await untilToolRuns(subject);
  await isBackAtItsPrompt(subject, await stop(subject));
  const { subAgents } = (await call('GET', `/api/sessions/${subject.id}`)).json;
  expect(subAgents.every(({ endedAt }: { endedAt: number | null }) => endedAt !== null)).toBe(true);

  await subject.client.prompt('delegate work');
  await untilToolRuns(subject);
  await hasEnded(subject, await stop(subject, { kill: true }));
});

test('an agent whose subagent thinks', async () => {
  const subject = await open();
  const thinking = untilThinking('sub: think');
  await subject.client.prompt('delegate thought');
  await thinking;
  await isNotReached(subject);
  await hasEnded(subject, await stop(subject, { kill: true }));
});

test('an idle session loses its background tasks, but no independent processes', async () => {
  const subject = await open();
  const { client, id } = subject;
  onTestFinished(async () => {
    for (const { pid, mark } of await readProcesses())
      if (mark?.sessionId === id && isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  await client.prompt('leave things running');
  await client.waitForScreen(/They run\./);
  const hasPython = await run('python3', ['-V']).then(
    () => true,
    () => false,
  );
  const plain = ['left-nohup', 'left-setsid', 'left-forked', ...(hasPython ? ['left-adopted'] : [])];
  const names = [...plain, 'tmux'];
  const left = async () => {
    const lines = await processesOf(subject, { toolsOnly: true });
    return names.filter((name) => lines.some((line) => line.includes(name)));
  };
  await expect.poll(left, { timeout: 60_000 }).toEqual(names);
  // a window that the person opens in the agent's tmux also has the agent's mark
  const tmux = (...args: string[]) =>
    run('tmux', ['-S', join(home.env.TMPDIR!, 'agents-tmux'), ...args], { env: { PATH: home.env.PATH } });
  await tmux('new-window', '-d', '-n', 'mine', `exec sh -c '${LOOP}' the-persons-own`);
  names.push('the-persons-own');
  await expect.poll(left, { timeout: 60_000 }).toEqual(names);

  const { json: processes } = await call('GET', `/api/sessions/${id}/processes`);
  const byName = (name: string) =>
    processes.detached.find(({ command }: { command: string }) => command.includes(name));
  expect(processes).toMatchObject({ pids: [client.pid] });
  for (const name of plain) expect([name, byName(name)]).toMatchObject([name, { warning: null }]);
  expect(byName('tmux')).toMatchObject({ warning: expect.stringContaining('terminal') });

  const stopped = await stop(subject);
  await isBackAtItsPrompt(subject, stopped);
  expect(await left()).toEqual(names);
  expect(stopped.receipt?.detached.map(({ pid }) => pid)).toEqual(
    processes.detached.map(({ pid }: { pid: number }) => pid),
  );
  const background = await processesOf(subject, { toolsOnly: true });
  expect(background.filter((line) => line.includes('for i in') && !/left-|the-persons-own/.test(line))).toEqual([]);

  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await openPage(browser, { call, path: `/sessions/${id}` });
  await page.getByRole('button', { name: 'More ways to stop' }).click();
  await page.getByRole('menuitem', { name: 'End the process…' }).click();
  const choices = page.getByRole('dialog').getByRole('checkbox');
  await choices.first().waitFor();
  expect(await choices.evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).checked))).toEqual(
    processes.detached.map(() => false),
  );
  const shown = await page.getByRole('dialog').textContent();
  for (const name of [...plain, 'tmux', 'It holds a terminal, which may be yours.']) expect(shown).toContain(name);
  await page
    .getByRole('dialog')
    .getByRole('checkbox', { name: /left-nohup/ })
    .check();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await left()).toEqual(names);

  const { gctl } = makeGctlHome();
  const killed = await gctl('stop', id, '--kill', '--yes', '--data-dir', daemon.dataDir);
  expect(killed).toMatchObject({ code: 0, stderr: '' });
  expect(killed.stdout).toMatch(/^Detached processes the session started:\n(.*\n)* +\d+ +tmux .*It holds a terminal/);
  expect(killed.stdout).toContain(`Resume with: cd ${home.project} && claude --resume ${id}`);
  expect(isAlive(client.pid)).toBe(false);
  expect(await left()).toEqual(['tmux', 'the-persons-own']);

  // it has ended: another stop has nothing to do and changes nothing
  const isEnded = async () => (await call('GET', `/api/sessions/${id}`)).json;
  await expect.poll(async () => (await isEnded()).endedAt).not.toBeNull();
  const before = await isEnded();
  const again = await gctl('stop', id, '--data-dir', daemon.dataDir);
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(again.stdout).toMatch(new RegExp(`^${id.slice(0, 8)}  had already ended: nothing was stopped\n`));
  expect(again.stdout).toMatch(/ running {2}\d+ {2}tmux .*It holds a terminal/);
  expect(await left()).toEqual(['tmux', 'the-persons-own']);
  expect(await isEnded()).toEqual(before);
});

test('a headless run that is stopped fails: in the middle of a tool, at a permission, and thinking', async () => {
  for (const prompt of ['run long', 'make a file', 'think hard']) {
    await call('PUT', '/api/away', { away: true });
    const known = new Set((await sessions()).map(({ id }) => id));
    const thinking = prompt === 'think hard' ? untilThinking(prompt) : undefined;
    const headless = runHeadless(home, prompt);
    const { id } = await waitFor(async () => (await sessions()).find((session) => !known.has(session.id)), {
      what: 'the headless session',
      timeout: 60_000,
    });
    if (prompt === 'run long')
      await waitFor(async () => (await call('GET', `/api/sessions/${id}/processes`)).json.toolPids.length > 0, {
        what: 'its tool',
        timeout: 60_000,
      });
    if (prompt === 'make a file') await untilHeld({ id });
    await thinking;
    const { receipt } = await stop({ id });
    expect(receipt).toMatchObject({ processEnded: true, resume: expect.stringContaining(`claude --resume ${id}`) });
    expect([prompt, (await headless).code]).toEqual([prompt, 143]);
  }
});

test('a wedged client', async () => {
  const subject = await open({ underShell: true });
  await subject.client.prompt('run long');
  await untilToolRuns(subject);
  process.kill(subject.client.pid, 'SIGSTOP');
  expect((await isNotReached(subject)).unreached?.why).toContain('its process is suspended');
  await hasEnded(subject, await stop(subject, { kill: true }));
});

test('gctl stop in a terminal asks whether to end the process of a thinking agent', async () => {
  const subject = await open();
  const thinking = untilThinking('think hard');
  await subject.client.prompt('think hard');
  await thinking;
  const gctlStop = () =>
    openTerminal({
      command: [gctlBinary, 'stop', subject.id, '--wait', '1', '--data-dir', daemon.dataDir],
      cwd: daemon.home,
      env: cleanEnv(daemon.home),
    });
  const first = await gctlStop();
  onTestFinished(first.dispose);
  await first.waitForScreen(
    /No hook arrived within 1 s[\s\S]*Resume later with: cd [\s\S]*End its process now\? \[y\/N\]/,
  );
  await first.press('Enter');
  await first.ended();
  expect(subject.client.alive()).toBe(true);
  const second = await gctlStop();
  onTestFinished(second.dispose);
  await second.waitForScreen(/End its process now\?/);
  await second.type('y');
  await second.press('Enter');
  await second.ended();
  await expect.poll(() => isAlive(subject.client.pid)).toBe(false);
});

test('gctl stop, with an id prefix', async () => {
  const { gctl } = makeGctlHome();
  expect(await gctl('stop', '--data-dir', daemon.dataDir)).toMatchObject({ code: 2 });
  expect(await gctl('stop', 'nobody', '--data-dir', daemon.dataDir)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No session matches nobody'),
  });
  const subject = await open();
  await subject.client.prompt('run long');
  await untilToolRuns(subject);
  const stopped = await gctl('stop', subject.id.slice(0, 8), '--reason', 'Lunch', '--data-dir', daemon.dataDir);
  expect(stopped).toMatchObject({ code: 0, stderr: '' });
  expect(stopped.stdout).toMatch(/stopped in [\d.]+s\n.*hooks[\s\S]*tools[\s\S]*verified/);
  expect(await processesOf(subject, { toolsOnly: true })).toEqual([]);
  const all = await gctl('stop', '--all', '--kill', '--json', '--data-dir', daemon.dataDir);
  expect(all.code).toBe(0);
  expect(JSON.parse(all.stdout).stops).toMatchObject([
    { sessionId: subject.id, stop: { kill: true, state: 'stopped' } },
  ]);
  expect(isAlive(subject.client.pid)).toBe(false);
});
