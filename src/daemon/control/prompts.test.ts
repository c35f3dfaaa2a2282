import { join } from 'node:path';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { Core } from '../core.ts';
import { takeWaiter } from '../drivers/terminal/prompts/take-waiter.ts';
import type { Waiter } from '../drivers/terminal/prompts/waiters.ts';
import { tempDir } from '../drivers/terminal/settings/temp-dir-for-test.ts';
import { TerminalDriver } from '../drivers/terminal/terminal-driver.ts';
import { Prompts } from './prompts.ts';

const T0 = 1_700_000_000_000;

function setUp(path = join(tempDir('prompts'), 'journal.db')) {
  let at = T0;
  const core = new Core({ path, now: () => at, log: pino({ level: 'silent' }) });
  onTestFinished(() => core.close());
  const onError = (error: unknown) => {
    throw error;
  };
  const driver = new TerminalDriver({ live: core.live, configDir: '/nowhere' });
  const prompts = new Prompts({ core, driver, now: () => at, onError });
  const hook = (hook_event_name: string, more: object = {}) => {
    const payload = { session_id: 's', hook_event_name, ...more };
    return core.record({ sessionId: 's', source: 'hook', name: hook_event_name, payload });
  };
  const tell = (text: string) => prompts.send('s', { text, expiresInSeconds: 60, asText: false }, 'a test');
  const statuses = () => prompts.list('s').prompts.map(({ text, status }) => `${text} ${status}`);
  const pass = (ms: number) => {
    at += ms;
    prompts.expireDue();
  };
  const wait = (waiter: Waiter) => takeWaiter(stop, waiter, { live: core.live, terminal: driver, prompts });
  return { core, prompts, wait, hook, tell, statuses, pass };
}

/** A hook in the session's background. `taken` is whether it lives long enough to take the prompt. */
function aWaiter({ taken = true } = {}) {
  const heard: string[] = [];
  let released = 0;
  const waiter: Waiter = {
    wake: async (text) => {
      heard.push(text);
      return taken;
    },
    release: () => {
      released++;
    },
    onHangUp: () => undefined,
  };
  return { waiter, heard, isReleased: () => released > 0 };
}

const stop = { sessionId: 's', isStarting: false };

test('requeues an undelivered prompt ahead of later ones', async () => {
  const { wait, hook, tell, statuses } = setUp();
  await hook('Stop');
  const gone = aWaiter({ taken: false });
  wait(gone.waiter);
  expect(await tell('first')).toMatchObject({ status: 'queued' });
  expect(gone.heard).toEqual(['first']);
  await tell('second');
  expect(statuses()).toEqual(['first queued', 'second queued']);
  const next = aWaiter();
  wait(next.waiter);
  await expect.poll(statuses).toEqual(['first delivered', 'second queued']);
  expect(next.heard).toEqual(['first']);
});

test('delivers to the next waiter if one disappears during delivery', async () => {
  const { wait, hook, tell } = setUp();
  await hook('Stop');
  const next = aWaiter();
  const gone = aWaiter({ taken: false });
  wait({
    ...gone.waiter,
    wake: async (text) => {
      wait(next.waiter);
      return gone.waiter.wake(text);
    },
  });
  expect(await tell('hello')).toMatchObject({ status: 'delivered' });
  expect([gone.heard, next.heard]).toEqual([['hello'], ['hello']]);
});

test('a hundred prompts with waiters coming and going: each is taken once, in order, one per turn', async () => {
  const { wait, hook, tell, statuses } = setUp();
  await hook('Stop');
  const taken: string[] = [];
  let turns = 0;
  const texts = Array.from({ length: 100 }, (_, n) => `p${n}`);
  const sent = Promise.all(texts.map((text) => tell(text)));
  for (let n = 0; taken.length < texts.length; n++) {
    const waiter = aWaiter({ taken: n % 3 !== 0 });
    const before = taken.length;
    wait({
      ...waiter.waiter,
      wake: async (text) => {
        const isTaken = await waiter.waiter.wake(text);
        if (isTaken) taken.push(text);
        return isTaken;
      },
    });
    await new Promise(setImmediate);
    if (taken.length === before) continue;
    expect(taken.length).toBe(before + 1);
    turns++;
    await hook('UserPromptSubmit', { prompt: '<task-notification>' });
    await hook('Stop');
  }
  await sent;
  expect(taken).toEqual(texts);
  expect(turns).toBe(100);
  expect(new Set(statuses().map((line) => line.split(' ')[1]))).toEqual(new Set(['delivered']));
});

test('a stop cancels earlier prompts and holds those sent during it', async () => {
  const { core, wait, hook, tell, statuses } = setUp();
  await hook('UserPromptSubmit', { prompt: 'work' });
  await tell('go on');
  const { waiter, heard } = aWaiter();
  wait(waiter);
  const stopping = { state: 'stopping', requestedAt: T0, requestedBy: 'a test', reason: 'enough' };
  const say = (name: 'session.stopping' | 'session.stopped', state: 'stopping' | 'stopped') =>
    core.record({ sessionId: 's', source: 'control', name, payload: { stop: { ...stopping, state } } });
  await say('session.stopping', 'stopping');
  await hook('Stop');
  expect(await tell('now this')).toMatchObject({ status: 'queued', note: 'The session is being stopped.' });
  expect(statuses()).toEqual(['go on cancelled', 'now this queued']);
  await say('session.stopped', 'stopped');
  await expect.poll(() => heard).toEqual(['now this']);
  expect(core.live.view('s')).toMatchObject({ stop: null, queuedPrompts: 0 });
});

test('expires prompts while the daemon runs and while it is down', async () => {
  const path = join(tempDir('prompts'), 'journal.db');
  const first = setUp(path);
  await first.hook('UserPromptSubmit', { prompt: 'work' });
  await first.tell('a');
  first.pass(30_000);
  await first.tell('b');
  first.pass(30_000);
  await expect.poll(first.statuses).toEqual(['a expired', 'b queued']);
  const second = setUp(path);
  expect(second.statuses()).toEqual(['a expired', 'b queued']);
  second.pass(90_000);
  await expect.poll(second.statuses).toEqual(['a expired', 'b expired']);
});

test("reports a client that can't be woken", async () => {
  const { core, hook, tell } = setUp();
  await hook('Stop');
  const seen = { pid: 1, version: '2.1.71', status: 'idle' };
  await core.record({ sessionId: 's', source: 'watch', name: 'process.seen', payload: seen });
  await expect(tell('hello')).rejects.toMatchObject({ code: 'prompt.unsupported', status: 409 });
});
