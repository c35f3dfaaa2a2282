import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Stop } from '../../contract/sessions.ts';
import { Core } from '../core.ts';
import {
  type FakeClient,
  type FakeOptions,
  LOOP,
  startFakeClient,
} from '../drivers/terminal/stop/fake-client-for-test.ts';
import { refuseHooks } from '../drivers/terminal/stop/refuse-hook.ts';
import { TerminalDriver } from '../drivers/terminal/terminal-driver.ts';
import type { JournalEvent } from '../journal/journal.ts';
import type { Process } from '../processes/read-processes.ts';
import { type StopOrder, Stops } from './stops.ts';

let folder: string;
let core: Core;
let stops: Stops;
let refusals: string[];
const order = { by: 'Desk', kill: false };

/** One or more: between fork and exec, a shell's child has the shell's name. */
const runs = (found: unknown[]) => found.length > 0;

/** Without a shell's child that is about to run `sleep` and still has the shell's command line. */
function leftOf(all: Process[]): Process[] {
  const left = all.filter((one) => /done left $/.test(one.command));
  return left.filter(({ parentPid }) => !left.some(({ pid }) => pid === parentPid));
}

/** Ways to keep running after the tool that started it. None of these processes has a parent in the session anymore. */
const DETACHED: [string, string][] = [
  ['with nohup', `nohup sh -c '${LOOP}' left >/dev/null 2>&1 &`],
  ['in a session of its own', `setsid sh -c '${LOOP}' left &`],
  ['by a double fork', `(sh -c '${LOOP}' left &)`],
  ['by a double fork in a session of its own', `(setsid sh -c '${LOOP}' left &)`],
];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gc-stop-'));
  core = new Core({ path: join(folder, 'journal.db'), now: Date.now, log: pino({ level: 'silent' }) });
  refusals = [];
  stops = newStops();
  onTestFinished(async () => {
    await stops.close();
    core.close();
    rmSync(folder, { recursive: true, force: true });
  });
});

const newStops = (more: { unheardMs?: number } = {}) =>
  new Stops({
    ...more,
    core,
    driver: new TerminalDriver({ live: core.live, configDir: folder }),
    now: Date.now,
    onError: (error) => expect.fail(String(error)),
    cancelHeld: async (_id, { message }) => refusals.push(message),
    waitSeconds: () => 1,
  });

async function start(options: Omit<FakeOptions, 'configDir'> = {}): Promise<FakeClient> {
  const client = await startFakeClient({ configDir: folder, ...options });
  await hook(client.sessionId, 'UserPromptSubmit', { prompt: 'Work' });
  return client;
}

/** The way the intake does it: record, then answer. */
async function hook(session_id: string, hook_event_name: string, more: Record<string, unknown> = {}) {
  const payload = { session_id, hook_event_name, ...more };
  await core.record({ sessionId: session_id, source: 'hook', name: hook_event_name, payload });
  return refuseHooks((call) => stops.refusal(call))({ payload, isWritten: true, onHangUp: () => undefined });
}

async function stop(id: string, more: Partial<StopOrder> = {}): Promise<Stop> {
  return (await stops.stopSession(id, { ...order, ...more })).done;
}

const steps = ({ receipt }: Stop) => receipt?.steps.map(({ step }) => step);
const pids = (processes: { pid: number }[]) => processes.map(({ pid }) => pid);

describe('a turn that the hooks can end', () => {
  it('ends its tools, and keeps its process at the prompt with its MCP servers and our hook', async () => {
    const client = await start({ tools: [LOOP, LOOP], yields: true });
    const [one, two] = pids(await client.tools());
    const stopped = await stop(client.sessionId, { reason: 'Enough' });
    expect(stopped).toMatchObject({
      state: 'stopped',
      requestedBy: 'Desk',
      reason: 'Enough',
      receipt: { processEnded: false, leftPids: [], exitCode: 130 },
    });
    expect(steps(stopped)).toEqual(['hooks', 'approvals', 'tools', 'verified']);
    expect(stopped.receipt?.killedPids).toEqual(expect.arrayContaining([one, two]));
    expect(refusals).toEqual([expect.stringContaining('Enough')]);
    expect(await client.tools()).toEqual([]);
    expect([await client.isAlive(), runs(await client.mcp()), runs(await client.hook())]).toEqual([true, true, true]);
  });

  it('force-ends a tool that ignores SIGTERM', async () => {
    const client = await start({ tools: [`trap '' TERM; (${LOOP}) & ${LOOP}`], yields: true, isMarked: false });
    const stopped = await stop(client.sessionId);
    expect(stopped.receipt).toMatchObject({ processEnded: false, leftPids: [] });
    expect(await client.tools()).toEqual([]);
  });

  it('ends processes its running tools started in a separate session', async () => {
    const client = await start({ tools: [`setsid sh -c '${LOOP}' left & wait`], yields: true });
    const below = async () => leftOf(await client.everyone());
    await expect.poll(async () => (await below()).length).toBe(1);
    expect((await stop(client.sessionId)).receipt).toMatchObject({ leftPids: [], detached: [] });
    expect(await below()).toEqual([]);
  });

  it('is left alone if it was already over', async () => {
    const client = await startFakeClient({ configDir: folder, status: 'idle' });
    await hook(client.sessionId, 'Stop');
    const stopped = await stop(client.sessionId);
    expect(stopped.receipt).toMatchObject({ killedPids: [], processEnded: false, leftPids: [] });
    expect(await client.isAlive()).toBe(true);
    expect(core.live.view(client.sessionId)?.agentState.state).toBe('idle');
  });
});

describe('a process that outlives the tool that started it', () => {
  /** An idle client, and a process one of its tools left behind. */
  async function leave(command: string) {
    const client = await startFakeClient({ configDir: folder, status: 'idle', tools: [command] });
    await hook(client.sessionId, 'Stop');
    const left = async () => leftOf(await client.everyone());
    await expect.poll(async () => (await left()).length).toBe(1);
    await expect.poll(client.tools).toEqual([]);
    return { client, left };
  }

  it.runIf(process.platform === 'linux').each(DETACHED)('is listed and left alone: %s', async (_how, command) => {
    const { client, left } = await leave(command);
    const { detached } = await stops.processes(client.sessionId);
    const [process] = await left();
    expect(detached).toMatchObject([{ pid: process!.pid, warning: null, command: expect.stringContaining('left') }]);
    const stopped = await stop(client.sessionId);
    const isLeft = { detached: [{ id: detached[0]!.id }] };
    expect(stopped.receipt).toMatchObject({ killedPids: [], leftPids: [], processEnded: false, ...isLeft });
    expect(steps(stopped)).toEqual(expect.arrayContaining(['left']));
    const killed = await stop(client.sessionId, { kill: true });
    expect(killed.receipt).toMatchObject({ leftPids: [], processEnded: true, ...isLeft });
    expect(await left()).toHaveLength(1);
  });

  it.runIf(process.platform === 'linux').each(DETACHED)('ends if it is selected: %s', async (_how, command) => {
    const { client, left } = await leave(command);
    const { detached } = await stops.processes(client.sessionId);
    const endDetached = detached.map(({ id }) => id);
    const stopped = await stop(client.sessionId, { kill: true, endDetached });
    expect(stopped.receipt).toMatchObject({ leftPids: [], processEnded: true, detached: [] });
    expect(steps(stopped)).toEqual(expect.arrayContaining(['detached']));
    expect(await left()).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('survives if only its pid matches', async () => {
    const { client, left } = await leave(DETACHED[0]![1]);
    const [process] = await left();
    await stop(client.sessionId, { kill: true, endDetached: [`${process!.pid}:1`] });
    expect(await left()).toHaveLength(1);
  });
});

describe('a turn that no hook reaches', () => {
  it('is reported as unreachable after the wait, and its process is left running', async () => {
    const client = await start();
    const { stop: announced, told, done } = await stops.stopSession(client.sessionId, { ...order, waitSeconds: 0.5 });
    expect(announced.waitsUntil).toBe(announced.requestedAt + 500);
    const unreached = await told;
    expect(unreached).toMatchObject({
      state: 'stopping',
      waitsUntil: null,
      receipt: null,
      unreached: { why: expect.stringContaining('thinking'), resume: `claude --resume ${client.sessionId}` },
    });
    expect(core.live.view(client.sessionId)?.stop).toEqual(unreached);
    expect(await client.isAlive()).toBe(true);

    expect(await hook(client.sessionId, 'PreToolUse', { tool_name: 'Bash' })).toMatchObject({ continue: false });
    writeFileSync(
      join(folder, 'sessions', `${client.pid}.json`),
      JSON.stringify({ pid: client.pid, sessionId: client.sessionId, status: 'idle', statusUpdatedAt: Date.now() }),
    );
    const stopped = await done;
    expect(steps(stopped)).toEqual(['hooks', 'approvals', 'unreached', 'verified']);
    expect(stopped).toMatchObject({ unreached: null, receipt: { processEnded: false, resume: null } });
    expect(await client.isAlive()).toBe(true);
  });

  it('ends with its process if that is requested afterwards', async () => {
    const client = await start();
    const { told, done } = await stops.stopSession(client.sessionId, { ...order, waitSeconds: 0 });
    expect((await told).unreached).not.toBeNull();
    const second = await stops.stopSession(client.sessionId, { by: 'Phone', kill: true });
    const stopped = await second.told;
    expect(stopped).toEqual(await done);
    expect(stopped).toMatchObject({
      kill: true,
      requestedBy: 'Phone',
      receipt: { processEnded: true, leftPids: [], resume: `claude --resume ${client.sessionId}` },
    });
    expect(await client.everyone()).toEqual([]);
  });

  it('ends with its process if requested, and leaves nothing running', async () => {
    const client = await start({ tools: [LOOP] });
    const stopped = await stop(client.sessionId, { ifUnreached: 'end' });
    expect(steps(stopped)).toEqual(expect.arrayContaining(['tools', 'signal', 'verified']));
    expect(stopped.receipt).toMatchObject({ processEnded: true, leftPids: [] });
    expect(await client.everyone()).toEqual([]);
  });

  it('ends by SIGKILL if it ignores SIGTERM', async () => {
    const client = await start({ ignoresTerm: true, isMarked: false });
    const stopped = await stop(client.sessionId, { ifUnreached: 'end' });
    expect(steps(stopped)).toEqual(expect.arrayContaining(['signal', 'kill']));
    expect(stopped.receipt).toMatchObject({ processEnded: true, leftPids: [] });
    expect(await client.everyone()).toEqual([]);
  });

  it('ends in a suspended process', async () => {
    const client = await start({ tools: [LOOP] });
    process.kill(client.pid, 'SIGSTOP');
    const { told } = await stops.stopSession(client.sessionId, order);
    expect((await told).unreached?.why).toContain('suspended');
    const stopped = await stop(client.sessionId, { ifUnreached: 'end' });
    expect(stopped.receipt).toMatchObject({ processEnded: true, leftPids: [] });
    expect(steps(stopped)).not.toContain('kill');
    expect(await client.everyone()).toEqual([]);
  });

  it('keeps waiting under the next daemon without restarting its timeout', async () => {
    const client = await start();
    const { told } = await stops.stopSession(client.sessionId, { ...order, waitSeconds: 0 });
    await told;
    await stops.close();
    stops = newStops();
    stops.resume();
    await new Promise((next) => setTimeout(next, 300));
    expect(core.live.view(client.sessionId)?.stop).toMatchObject({ state: 'stopping', unreached: expect.anything() });
    const stopped = await stop(client.sessionId, { kill: true });
    expect(stopped.receipt).toMatchObject({ processEnded: true, leftPids: [] });
  });
});

describe('a headless run', () => {
  it("ends by a signal, so that its caller sees a failure, and its hooks don't end the turn first", async () => {
    const client = await start({ entrypoint: 'sdk-cli', tools: [LOOP] });
    const exit = new Promise((resolve) => client.child.once('exit', resolve));
    const { done } = await stops.stopSession(client.sessionId, order);
    await new Promise((next) => setTimeout(next, 100));
    expect(await hook(client.sessionId, 'PostToolUse')).toBeUndefined();
    const stopped = await done;
    expect(await exit).toBe(143);
    expect(stopped.receipt).toMatchObject({ processEnded: true, leftPids: [], resume: expect.any(String) });
    expect(stopped.receipt?.steps.find(({ step }) => step === 'signal')?.detail).toContain('its caller sees');
  });

  it('that takes its prompts from a program continues after its turn', async () => {
    const args = ['--input-format', 'stream-json'];
    const client = await start({ entrypoint: 'sdk-cli', args, tools: [LOOP], yields: true });
    expect((await stop(client.sessionId)).receipt).toMatchObject({ processEnded: false, leftPids: [] });
    expect(await client.isAlive()).toBe(true);
  });
});

it('does not mistake a client that is shutting down for one that is gone', async () => {
  const client = await start({ ignoresTerm: true });
  const { done } = await stops.stopSession(client.sessionId, { ...order, kill: true });
  await new Promise((next) => setTimeout(next, 300));
  rmSync(join(folder, 'sessions', `${client.pid}.json`));
  await hook(client.sessionId, 'SessionEnd', { reason: 'other' });
  expect((await done).receipt).toMatchObject({ processEnded: true, leftPids: [] });
  expect(await client.everyone()).toEqual([]);
});

it('leaves a session alone while its user has a menu open', async () => {
  const client = await startFakeClient({ configDir: folder, status: 'waiting', waitingFor: 'dialog open' });
  await hook(client.sessionId, 'Stop');
  expect((await stop(client.sessionId)).receipt).toMatchObject({ processEnded: false, killedPids: [] });
  expect(await client.isAlive()).toBe(true);
});

describe('kill', () => {
  it('ends the process of an idle session and everything it started', async () => {
    const client = await start({ status: 'idle', tools: [LOOP] });
    const stopped = await stop(client.sessionId, { kill: true });
    expect(stopped).toMatchObject({ kill: true, receipt: { processEnded: true, leftPids: [] } });
    expect(steps(stopped)).not.toContain('hooks');
    expect(await client.everyone()).toEqual([]);
  });

  it('joins a stop in progress and escalates it', async () => {
    const client = await start({ tools: [`trap '' TERM; ${LOOP}`], yields: true });
    const first = await stops.stopSession(client.sessionId, order);
    const [second, third] = await Promise.all([
      stops.stopSession(client.sessionId, { ...order, by: 'Phone' }),
      stops.stopSession(client.sessionId, { by: 'Phone', kill: true }),
    ]);
    const outcome = await first.done;
    expect(await second.done).toEqual(outcome);
    expect(await third.done).toEqual(outcome);
    expect(outcome).toMatchObject({ kill: true, requestedBy: 'Phone', receipt: { processEnded: true, leftPids: [] } });
    const names = [...core.journal.eventsOf(client.sessionId, { after: 0 })].map(({ name }) => name);
    expect(names).toEqual(['UserPromptSubmit', 'session.stopping', 'session.stopping', 'session.stopped']);
    expect(await client.everyone()).toEqual([]);
  });
});

describe('a process that is not the session’s', () => {
  it('is not touched if it now runs another session', async () => {
    const client = await start({ status: 'idle' });
    await core.record({
      sessionId: 'before-clear',
      source: 'watch',
      name: 'process.seen',
      payload: { pid: client.pid, start: null, status: 'busy' },
    });
    const stopping = await stops.stopSession('before-clear', { ...order, kill: true });
    await new Promise((next) => setTimeout(next, 500));
    expect(await client.isAlive()).toBe(true);
    await hook('before-clear', 'SessionEnd', { reason: 'clear' });
    expect((await stopping.done).receipt).toMatchObject({ processEnded: true, leftPids: [], killedPids: [] });
    expect(await client.isAlive()).toBe(true);
  });

  it('is left alone if it switches to another session meanwhile', async () => {
    const client = await start();
    const { done } = await stops.stopSession(client.sessionId, order);
    const file = join(folder, 'sessions', `${client.pid}.json`);
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), sessionId: 'after-clear' }));
    await hook(client.sessionId, 'SessionEnd', { reason: 'clear' });
    expect((await done).receipt).toMatchObject({ killedPids: [], leftPids: [] });
    expect([await client.isAlive(), runs(await client.mcp()), runs(await client.hook())]).toEqual([true, true, true]);
  });

  it.runIf(process.platform === 'linux')('is not touched if only the pid matches', async () => {
    const client = await start({ procStart: '1' });
    const stopping = await stops.stopSession(client.sessionId, { ...order, kill: true });
    await new Promise((next) => setTimeout(next, 500));
    await hook(client.sessionId, 'SessionEnd', { reason: 'other' });
    await stopping.done;
    expect(await client.isAlive()).toBe(true);
  });
});

describe('a session without a process here', () => {
  it('stops when one of its hooks is refused', async () => {
    await hook('far', 'UserPromptSubmit', { prompt: 'Work' });
    const { stop: announced, done } = await stops.stopSession('far', order);
    expect(announced).toMatchObject({ state: 'stopping', receipt: null });
    expect(core.live.view('far')?.stop).toEqual(announced);
    expect(await hook('far', 'PreToolUse', { tool_name: 'Bash' })).toMatchObject({
      continue: false,
      hookSpecificOutput: { permissionDecision: 'deny' },
    });
    expect(await done).toMatchObject({ state: 'stopped', receipt: { processEnded: false, leftPids: [] } });
    expect(core.live.view('far')).toMatchObject({
      agentState: { state: 'interrupted', label: 'Stopped by Desk' },
      stop: { state: 'stopped' },
    });
    expect(await hook('far', 'PreToolUse', { tool_name: 'Bash' })).toBeUndefined();
  });

  it('waits for its subagents too, and they are shown as ended', async () => {
    const from = { agent_id: 'a1', agent_type: 'Explore' };
    await hook('far', 'UserPromptSubmit', { prompt: 'Work' });
    await hook('far', 'SubagentStart', from);
    const { done } = await stops.stopSession('far', order);
    let isDone = false;
    done.then(() => {
      isDone = true;
    });
    await hook('far', 'PostToolBatch');
    await new Promise((next) => setTimeout(next, 300));
    expect(isDone).toBe(false);
    await hook('far', 'PreToolUse', { ...from, tool_name: 'Bash' });
    await done;
    expect(core.live.view('far')?.subAgents).toMatchObject([{ agentState: { state: 'stopped' } }]);
    expect(core.live.view('far')?.subAgents[0]?.endedAt).not.toBeNull();
  });

  it('takes a new prompt afterwards, and is no longer stopped', async () => {
    await hook('far', 'UserPromptSubmit', { prompt: 'Work' });
    const { done } = await stops.stopSession('far', order);
    expect(await hook('far', 'UserPromptSubmit', { prompt: 'Too early' })).toMatchObject({ decision: 'block' });
    await done;
    expect(await hook('far', 'UserPromptSubmit', { prompt: 'Go on' })).toBeUndefined();
    expect(core.live.view('far')).toMatchObject({ stop: null, agentState: { state: 'thinking' } });
  });

  it('times out when silent, and applies the stop if it shows up again', async () => {
    stops = newStops({ unheardMs: 20 });
    await hook('far', 'UserPromptSubmit', { prompt: 'Work' });
    const stopped = await stop('far');
    expect(stopped).toMatchObject({ state: 'stopped', receipt: { processEnded: false, leftPids: [] } });
    expect(steps(stopped)).toEqual(['hooks', 'approvals', 'unheard', 'verified']);
    expect(stopped.receipt?.steps.at(-1)?.detail).toContain('Nothing more was heard from it');

    expect(await hook('far', 'PreToolUse', { tool_name: 'Bash' })).toMatchObject({
      continue: false,
      hookSpecificOutput: { permissionDecision: 'deny' },
    });
    await expect.poll(() => core.live.view('far')?.stop?.receipt?.steps.at(-1)?.detail).toContain('Its turn is over');
    await hook('far', 'UserPromptSubmit', { prompt: 'Go on' });
    expect(await hook('far', 'PreToolUse', { tool_name: 'Bash' })).toBeUndefined();
  });

  it('is released by a new prompt after it fell silent', async () => {
    stops = newStops({ unheardMs: 20 });
    await hook('far', 'UserPromptSubmit', { prompt: 'Work' });
    await stop('far');
    expect(await hook('far', 'UserPromptSubmit', { prompt: 'Go on' })).toBeUndefined();
    expect(await hook('far', 'PreToolUse', { tool_name: 'Bash' })).toBeUndefined();
  });

  it('is resumed by the next daemon', async () => {
    const client = await start({ tools: [LOOP] });
    await core.record({
      sessionId: client.sessionId,
      source: 'operator',
      name: 'session.stopping',
      payload: {
        stop: {
          state: 'stopping',
          requestedAt: Date.now(),
          requestedBy: 'Desk',
          reason: 'x',
          kill: true,
          stoppedAt: null,
          receipt: null,
        },
      },
    });
    stops.resume();
    await expect.poll(() => core.live.view(client.sessionId)?.stop?.state, { timeout: 20_000 }).toBe('stopped');
    expect(await client.everyone()).toEqual([]);
  });
});

describe('an ended session', () => {
  it('is answered immediately, and nothing changes', async () => {
    const client = await start({ tools: [LOOP] });
    await hook(client.sessionId, 'SessionEnd', { reason: 'other' });
    await new Promise((resolve) => {
      client.child.once('exit', resolve);
      process.kill(client.pid, 'SIGKILL');
    });
    const before = core.live.view(client.sessionId);
    const { stop: stopped } = await stops.stopSession(client.sessionId, order);
    expect(stopped).toMatchObject({ state: 'stopped', receipt: { processEnded: true, killedPids: [], leftPids: [] } });
    expect(stopped.receipt?.steps[0]).toMatchObject({ step: 'ended', detail: 'It had already ended.' });
    expect(core.live.view(client.sessionId)).toEqual(before);
    expect(runs(await client.tools())).toBe(true);
  });

  it.runIf(process.platform === 'linux')('ends selected processes its tools left behind', async () => {
    const client = await start({ tools: [LOOP] });
    await hook(client.sessionId, 'SessionEnd', { reason: 'other' });
    await new Promise((resolve) => {
      client.child.once('exit', resolve);
      process.kill(client.pid, 'SIGKILL');
    });
    const { detached } = await stops.processes(client.sessionId);
    expect(detached.length).toBeGreaterThan(0);
    const endDetached = detached.map(({ id }) => id);
    const { stop: stopped } = await stops.stopSession(client.sessionId, { ...order, kill: true, endDetached });
    expect(stopped).toMatchObject({ state: 'stopped', receipt: { processEnded: true, leftPids: [] } });
    expect(await client.tools()).toEqual([]);
  });

  it('stays hidden', async () => {
    await hook('old', 'UserPromptSubmit', { prompt: 'Work' });
    await hook('old', 'SessionEnd', { reason: 'other' });
    await core.record({ sessionId: 'old', source: 'clock', name: 'session.left', payload: {} });
    const { stop: stopped } = await stops.stopSession('old', order);
    expect(stopped).toMatchObject({ state: 'stopped', receipt: { processEnded: true, killedPids: [], leftPids: [] } });
    expect(core.live.view('old')).toBeUndefined();
  });
});

it('announces the stop immediately and reports the end', async () => {
  const events: JournalEvent[] = [];
  core.observe((event) => void events.push(event));
  const client = await start({ tools: [LOOP], yields: true });
  const stopped = await stop(client.sessionId);
  expect(events.slice(1)).toMatchObject([
    { name: 'session.stopping', source: 'operator', payload: { stop: { state: 'stopping' } } },
    { name: 'session.stopped', source: 'control', payload: { stop: stopped } },
  ]);
});

it('stops the sessions that a filter names, or none if one is unknown', async () => {
  for (const [id, cwd] of [
    ['one', '/w/api'],
    ['two', '/w/web'],
    ['three', '/w/web'],
  ] as const)
    await hook(id, 'UserPromptSubmit', { prompt: 'Work', cwd });
  await expect(stops.stopMany({ ids: ['one', 'nobody'] }, order)).rejects.toMatchObject({ status: 404 });
  expect(core.live.view('one')?.stop).toBeNull();
  await hook('three', 'Stop');
  const chosen = async (filter: Parameters<Stops['stopMany']>[0]) =>
    (await stops.stopMany(filter, order)).map(({ sessionId }) => sessionId);
  expect(await chosen({ project: 'web', group: 'autonomous' })).toEqual(['two']);
  expect(await chosen({ state: 'idle' })).toEqual(['three']);
  expect(await chosen({ project: '/w/api' })).toEqual(['one']);
  expect(await chosen({ all: true })).toEqual(['one', 'two', 'three']);
});

it('writes nothing after it is closed', async () => {
  const client = await start({ tools: [LOOP] });
  const { done } = await stops.stopSession(client.sessionId, order);
  await stops.close();
  await expect(done).rejects.toThrow();
  expect(core.live.view(client.sessionId)?.stop?.state).toBe('stopping');
});
