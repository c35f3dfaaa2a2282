import { expect, test } from 'vitest';
import type { HookAnswer, HookPayload } from '../../../../contract/hooks.ts';
import { SharedCalls } from './shared-calls.ts';

const call = (tool_use_id: unknown = 't1', more: object = {}): HookPayload => ({
  session_id: 's',
  hook_event_name: 'PreToolUse',
  tool_use_id,
  ...more,
});

/** A connection and its outcome. */
function aClient() {
  const listeners: (() => void)[] = [];
  return {
    onHangUp: (listener: () => void) => void listeners.push(listener),
    hangUp: () => {
      for (const listener of listeners) listener();
    },
  };
}

function setUp({ isActive = true } = {}) {
  const calls = new SharedCalls({ isActive: () => isActive });
  const taken: { onHangUp: (listener: () => void) => void; decide: (answer: HookAnswer) => void }[] = [];
  const take = (onHangUp: (listener: () => void) => void) =>
    new Promise<HookAnswer>((decide) => void taken.push({ onHangUp, decide }));
  const ask = (door: 'user' | 'project', payload = call(), client = aClient()) =>
    calls.at(door)(payload, client.onHangUp, take);
  return { ask, taken };
}

test.each([
  ['user', 'project'],
  ['project', 'user'],
] as const)('records a call that arrives through two entries once, and answers both (%s first)', async (one, two) => {
  const { ask, taken } = setUp();
  const answers = [ask(one), ask(two)];
  expect(taken).toHaveLength(1);
  taken[0]?.decide({ decided: true });
  expect(await Promise.all(answers)).toEqual([{ decided: true }, { decided: true }]);
});

test('answers the second even if it arrives after the first was answered', async () => {
  const { ask, taken } = setUp();
  const first = ask('user');
  taken[0]?.decide({ decided: true });
  await first;
  expect(await ask('project')).toEqual({ decided: true });
  expect(taken).toHaveLength(1);
});

test('records a repeated call again', () => {
  const { ask, taken } = setUp();
  for (const door of ['user', 'project', 'project', 'user', 'user'] as const) ask(door);
  expect(taken).toHaveLength(3);
});

test.each([
  ['other calls', call('t2')],
  ['other sessions', call('t1', { session_id: 'another' })],
  ['other events', call('t1', { hook_event_name: 'PostToolUse' })],
  ['calls without an id', call(undefined)],
])('%s are not shared', (_what, payload) => {
  const { ask, taken } = setUp();
  ask('user', payload);
  ask('project', call('t1'));
  ask('project', payload);
  expect(taken.length).toBeGreaterThan(1);
});

test('shares and keeps nothing while no project is strict', () => {
  const { ask, taken } = setUp({ isActive: false });
  ask('user');
  ask('project');
  expect(taken).toHaveLength(2);
});

test('keeps waiting until both hang up', () => {
  const { ask, taken } = setUp();
  const [one, two] = [aClient(), aClient()];
  ask('user', call(), one);
  ask('project', call(), two);
  let isGone = false;
  taken[0]?.onHangUp(() => {
    isGone = true;
  });
  one.hangUp();
  expect(isGone).toBe(false);
  two.hangUp();
  expect(isGone).toBe(true);
});

test('discards unmatched entries', () => {
  const { ask, taken } = setUp();
  for (let n = 0; n <= 1000; n++) ask('user', call(`t${n}`));
  ask('project', call('t1000'));
  expect(taken).toHaveLength(1001);
  ask('project', call('t0'));
  expect(taken).toHaveLength(1002);
});
