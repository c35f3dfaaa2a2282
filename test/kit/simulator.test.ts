import { setImmediate as nextTick } from 'node:timers/promises';
import { HOOK_EVENTS } from '@anthropic-ai/claude-agent-sdk';
import { expect, test } from 'vitest';
import type { HookPayload } from './hook-payload.ts';
import { simulateSession } from './simulate-session.ts';
import { playFleet } from './simulator.ts';

const sessionOf = (seed: number) => [...simulateSession({ seed, id: `session-${seed}`, cwd: '/nonexistent/project' })];
const many = Array.from({ length: 200 }, (_, seed) => sessionOf(seed));

test('the same seed plays the same session', () => {
  expect(sessionOf(1)).toEqual(sessionOf(1));
  expect(sessionOf(1)).not.toEqual(sessionOf(2));
});

test('a session starts, ends, and posts only events that the client has', () => {
  for (const hooks of many) {
    expect(hooks.at(0)).toMatchObject({ hook_event_name: 'SessionStart', source: 'startup' });
    expect(hooks.at(-1)?.hook_event_name).toBe('SessionEnd');
  }
  const events = new Set(many.flat().map(({ hook_event_name }) => hook_event_name));
  expect([...events].filter((event) => !(HOOK_EVENTS as readonly string[]).includes(event))).toEqual([]);
  expect(events.size).toBeGreaterThanOrEqual(15);
});

test('every tool that ends was started by the same actor', () => {
  for (const hooks of many) {
    const begun = new Set<string>();
    for (const hook of hooks) {
      const call = `${hook.agent_id} ${hook.tool_use_id}`;
      if (hook.hook_event_name === 'PreToolUse') begun.add(call);
      if (hook.hook_event_name.startsWith('PostToolUse')) expect(begun).toContain(call);
    }
  }
});

test('some main agents stop while their subagent still waits for a permission', () => {
  const overlaps = many.filter((hooks) => {
    const stopped = hooks.findIndex((hook) => (hook.background_tasks as unknown[] | undefined)?.length);
    return (
      stopped > 0 && hooks.slice(stopped).some((hook) => hook.agent_id && hook.hook_event_name === 'PermissionRequest')
    );
  });
  expect(overlaps.length).toBeGreaterThan(0);
});

test('a fleet has one hook in flight per session, in the order of that session', async () => {
  const inFlight = new Set<string>();
  const received = new Map<string, HookPayload[]>();
  const post = async (payload: HookPayload) => {
    expect(inFlight).not.toContain(payload.session_id);
    inFlight.add(payload.session_id);
    await nextTick();
    inFlight.delete(payload.session_id);
    received.set(payload.session_id, [...(received.get(payload.session_id) ?? []), payload]);
  };
  // no operator present: the speed of the machine must not decide who answers first
  const nobody = { atTheDeskMs: 2 ** 31 - 1 };
  const run = await playFleet({ sessions: 20, rate: Number.POSITIVE_INFINITY, post, seed: 7, count: 2000, ...nobody });
  expect(run.sent).toBe(2000);
  expect([...received.values()].flat()).toHaveLength(2000);
  expect(received.size).toBeGreaterThan(20);
  for (const [first, ...rest] of received.values()) {
    expect(first).toMatchObject({ hook_event_name: 'SessionStart', source: 'startup' });
    const ends = rest.map(({ hook_event_name }) => hook_event_name).indexOf('SessionEnd');
    expect([-1, rest.length - 1]).toContain(ends);
  }
});

test('a fleet is never faster than its rate', async () => {
  const { elapsedMs } = await playFleet({ sessions: 5, rate: 500, post: () => nextTick(), seed: 1, count: 101 });
  expect(elapsedMs).toBeGreaterThanOrEqual(199);
});

test('an abort ends the fleet', async () => {
  const stop = new AbortController();
  let posted = 0;
  const post = async () => {
    posted += 1;
    if (posted === 10) stop.abort();
  };
  const run = await playFleet({ sessions: 3, rate: 1000, post, seed: 1, signal: stop.signal });
  expect(run.sent).toBe(posted);
});

test('an undeliverable hook fails the run', async () => {
  const post = async () => {
    throw new Error('connection refused');
  };
  await expect(playFleet({ sessions: 3, rate: 1000, post, seed: 1 })).rejects.toThrow('connection refused');
});
