import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import type { Lifecycle } from '../../contract/orchestration.ts';
import { type PaceState, STEADY } from './pace.ts';
import type { Waiting } from './plan-starts.ts';
import { Queue } from './queue.ts';

interface One extends Waiting {
  lifecycle: Lifecycle;
}

/** Sessions backed by real processes: each runs briefly, and fails if its name says so. */
function setUp({ machine = 5, command = 'sleep 0.05' } = {}) {
  const sessions = new Map<string, One>();
  const started: string[] = [];
  const told: string[] = [];
  const running = new Set<string>();
  let most = 0;
  let at = Date.now();
  let saved: PaceState = STEADY;
  const errors: unknown[] = [];
  const make = () =>
    new Queue({
      host: {
        active: () => [...sessions.values()].filter(({ lifecycle }) => lifecycle === 'running'),
        outcomeOf: (ref) => sessions.get(ref)?.lifecycle,
        async launch(id) {
          const session = sessions.get(id)!;
          started.push(id);
          running.add(id);
          most = Math.max(most, running.size);
          const child = spawn('/bin/sh', ['-c', id.startsWith('bad') ? 'exit 1' : command], { stdio: 'ignore' });
          session.lifecycle = 'running';
          child.on('exit', (code) => {
            running.delete(id);
            session.lifecycle = code === 0 ? 'succeeded' : 'failed';
            queue.poke();
          });
        },
        async fail(id, why) {
          sessions.get(id)!.lifecycle = 'failed';
          told.push(`${id}: ${why}`);
        },
        async explain(id, why) {
          told.push(`${id}: ${why}`);
        },
      },
      limits: () => ({ machine, project: null, projects: {} }),
      state: {
        load: () => saved,
        save: (state) => {
          saved = state;
        },
      },
      now: () => at,
      onError: (error) => errors.push(error),
    });
  let queue = make();
  onTestFinished(() => queue.stop());
  const add = (id: string, over: Partial<Waiting> = {}) => {
    const waiting = {
      id,
      project: null,
      parentId: null,
      priority: 0,
      startAt: null,
      after: [],
      createdAt: sessions.size,
      ...over,
    };
    sessions.set(id, { ...waiting, lifecycle: 'queued' });
    queue.add(waiting);
  };
  const restart = () => {
    queue.stop();
    queue = make();
    for (const { lifecycle, ...waiting } of sessions.values()) if (lifecycle === 'queued') queue.add(waiting);
    queue.start();
  };
  const isOver = () => [...sessions.values()].every(({ lifecycle }) => !['queued', 'running'].includes(lifecycle));
  return {
    sessions,
    started,
    told,
    add,
    restart,
    errors,
    queue: () => queue,
    most: () => most,
    isOver,
    pass: (ms: number) => {
      at += ms;
      queue.poke();
    },
  };
}

test('100 sessions with a limit of 5: never more at once, in order, and all finish', async () => {
  const { add, queue, started, most, isOver, sessions, restart, errors } = setUp();
  for (let index = 0; index < 100; index++)
    add(`s${index}`, { priority: index % 10 === 0 ? 10 : 0, after: index === 50 ? ['s60', 's70'] : [] });
  queue().start();
  await expect.poll(() => started.length).toBeGreaterThan(40);
  // as after a kill: only what is on disk survives
  restart();
  await expect.poll(isOver, { timeout: 30_000 }).toBe(true);
  expect(errors).toEqual([]);
  expect([...sessions.values()].filter(({ lifecycle }) => lifecycle !== 'succeeded')).toEqual([]);
  expect(started).toHaveLength(100);
  expect(new Set(started).size).toBe(100);
  expect(most()).toBeLessThanOrEqual(5);
  expect(most()).toBeGreaterThan(1);
  expect(started.slice(0, 9)).toEqual(['s0', 's10', 's20', 's30', 's40', 's60', 's70', 's80', 's90']);
  expect(started.indexOf('s50')).toBeGreaterThan(started.indexOf('s70'));
});

test('one that waits can be taken out, moved ahead, or wait for its time', async () => {
  const { add, queue, started, isOver, sessions, pass } = setUp({ machine: 1 });
  for (const id of ['a', 'b', 'c', 'd']) add(id);
  add('timed', { startAt: Date.now() + 40 * 86_400_000 });
  expect(queue().remove('b')).toBe(true);
  sessions.get('b')!.lifecycle = 'cancelled';
  expect(queue().move('d', { priority: 1 })).toBe(true);
  expect(queue().order()).toEqual(['d', 'a', 'c', 'timed']);
  queue().start();
  await expect.poll(() => started.length).toBe(3);
  expect(started).toEqual(['d', 'a', 'c']);
  expect(queue().remove('a')).toBe(false);
  pass(41 * 86_400_000);
  await expect.poll(isOver, { timeout: 30_000 }).toBe(true);
  expect(started.at(-1)).toBe('timed');
});

test('a session that waits for a failed one fails too, and says why', async () => {
  const { add, queue, sessions, isOver, told } = setUp();
  add('bad');
  add('next', { after: ['bad'] });
  add('last', { after: ['next'] });
  queue().start();
  await expect.poll(isOver, { timeout: 30_000 }).toBe(true);
  expect(sessions.get('last')?.lifecycle).toBe('failed');
  expect(told).toContain('next: It was waiting for bad, which failed.');
  expect(told).toContain('last: It was waiting for next, which failed.');
});

test('a usage limit holds the whole queue back, also across a restart, and then lets one through', async () => {
  const { add, queue, started, told, pass, restart, isOver, most } = setUp({ command: 'sleep 0.2' });
  queue().noteLimit({ until: Date.now() + 3_600_000, why: 'The 5-hour limit was reached' });
  for (const id of ['a', 'b', 'c']) add(id);
  queue().start();
  await expect.poll(() => told, { timeout: 10_000 }).toContain('a: The 5-hour limit was reached');
  restart();
  expect(queue().allowance()).toMatchObject({ allowed: 0, pause: { kind: 'limit' } });
  expect(started).toEqual([]);
  pass(3_600_000);
  // sessions end quickly and make room for others, so only the concurrency can be checked at any moment
  await expect.poll(() => started.at(0), { timeout: 10_000 }).toBe('a');
  expect(queue().allowance().allowed).toBe(1);
  expect(most()).toBe(1);
  pass(60_000);
  await expect.poll(isOver, { timeout: 30_000 }).toBe(true);
});

test('paused by the operator, nothing starts until it is resumed', async () => {
  const { add, queue, started, told, isOver } = setUp();
  queue().pause('Ann');
  queue().start();
  add('a');
  await expect.poll(() => told, { timeout: 10_000 }).toEqual(['a: Paused by Ann']);
  expect(started).toEqual([]);
  queue().resume();
  await expect.poll(isOver, { timeout: 30_000 }).toBe(true);
});
