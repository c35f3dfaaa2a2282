import { expect, test } from 'vitest';
import type { AgentEvent } from '../../contract/agent-events.ts';
import type { Session } from './session.ts';
import { whyStalled } from './stall.ts';
import { StallWatch } from './stall-watch.ts';
import { transition } from './transition.ts';

const MINUTE = 60_000;
const actor = { id: 'main' };
const bash = (input: object) => ({ id: 'c', name: 'Bash', input: { command: 'make', ...input } });

function after(...events: AgentEvent[]): Session {
  const started: AgentEvent = { type: 'turn.started', actor, prompt: 'Work', by: 'operator' };
  let session: Session | undefined;
  for (const agent of [started, ...events])
    session = transition(session, {
      seq: 1,
      at: 0,
      sessionId: 's',
      source: 'hook',
      name: 'x',
      payload: {},
      agent: [agent],
    });
  return session!;
}
const stalledAt = (session: Session, minutes: number) => whyStalled(session, minutes * MINUTE);

test('flags a working agent that is silent for too long', () => {
  expect(stalledAt(after(), 14)).toBeUndefined();
  expect(stalledAt(after(), 16)).toBe('No activity for a while');
});

test('flags a call past its time limit, but not one within it', () => {
  const started = (input: object) => after({ type: 'tool.started', actor, call: bash(input) });
  expect(stalledAt(started({}), 16)).toBe('Bash has run past its time limit');
  expect(stalledAt(started({ timeout: 60 * MINUTE }), 50)).toBeUndefined();
  expect(stalledAt(started({ timeout: 60 * MINUTE }), 62)).toBeDefined();
  const other = after({ type: 'tool.started', actor, call: { id: 'c', name: 'mcp__db__query', input: {} } });
  expect([stalledAt(other, 20), stalledAt(other, 32)]).toEqual([
    undefined,
    'mcp__db__query has run past its time limit',
  ]);
});

test('ignores questions, subagents, background tasks and idle agents', () => {
  const call = bash({});
  const asks: AgentEvent[] = [
    { type: 'tool.started', actor, call },
    { type: 'ask.raised', actor, kind: 'permission', call, hasDialog: true },
  ];
  const ended: AgentEvent = { type: 'turn.ended', actor, outcome: { kind: 'completed' } };
  const silent = [
    after(...asks),
    after({ type: 'subagent.started', actor: { id: 'a', type: 'Explore' } }),
    after({ ...ended, background: [{ kind: 'other', label: 'npm run dev' }] }),
    after(ended),
    after({ type: 'session.ended', actor, reason: 'exit' }),
  ];
  for (const session of silent) expect(stalledAt(session, 600)).toBeUndefined();
});

test('alerts the operator until the agent is active again', () => {
  const stalled = transition(after(), {
    seq: 2,
    at: 16 * MINUTE,
    sessionId: 's',
    source: 'clock',
    name: 'session.stalled',
    payload: {},
    agent: [],
  });
  expect(stalled).toMatchObject({ state: { group: 'needs_you', state: 'stalled' }, attention: 'settling' });
  const heard: AgentEvent = { type: 'tool.started', actor, call: bash({}) };
  const next = transition(stalled, {
    seq: 3,
    at: 17 * MINUTE,
    sessionId: 's',
    source: 'hook',
    name: 'x',
    payload: {},
    agent: [heard],
  });
  expect(next).toMatchObject({ alarm: null, state: { group: 'autonomous' } });
});

test("time the machine was asleep doesn't count", () => {
  const watch = new StallWatch(0);
  const session = after();
  for (let at = 0; at < 5 * MINUTE; at += 10_000) expect(watch.due(at, [session])).toEqual([]);
  // eight hours later the lid is opened
  const woke = 480 * MINUTE;
  for (let at = woke; at < woke + 14 * MINUTE; at += 10_000) expect(watch.due(at, [session])).toEqual([]);
  let drafts: unknown[] = [];
  for (let at = woke + 14 * MINUTE; at < woke + 20 * MINUTE; at += 10_000)
    drafts = [...drafts, ...watch.due(at, [session])];
  expect(drafts.length).toBeGreaterThan(0);
});
