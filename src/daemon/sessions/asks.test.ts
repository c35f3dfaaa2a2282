import { expect, test } from 'vitest';
import type { JournalEvent } from '../journal/journal.ts';
import { isRaised } from './asks.ts';
import type { Session } from './session.ts';
import { transition } from './transition.ts';

let seq = 0;
const happen = (
  session: Session | undefined,
  source: JournalEvent['source'],
  name: string,
  payload: Record<string, unknown>,
) => transition(session, { seq: ++seq, at: 1000 + seq, sessionId: 's', source, name, payload });

const bash = { tool_name: 'Bash', tool_input: { command: 'npm publish' } };
const pre = (tool_use_id: string, more: object = {}) => ({
  session_id: 's',
  hook_event_name: 'PreToolUse',
  tool_use_id,
  ...bash,
  ...more,
});
const raised = { toolUseId: 't1', toolName: 'Bash', toolInput: bash.tool_input };

test('a call that we hold waits for the operator until it is settled, then runs', () => {
  const running = happen(undefined, 'hook', 'PreToolUse', pre('t1'));
  const waiting = happen(running, 'control', 'ask.raised', raised);
  expect(waiting.state).toMatchObject({
    group: 'needs_you',
    state: 'needs_permission',
    label: 'Needs permission: Bash',
    context: bash.tool_input,
  });
  expect(isRaised(waiting, 't1')).toBe(true);
  const settled = happen(waiting, 'control', 'ask.settled', { toolUseId: 't1' });
  expect(settled.state).toMatchObject({ group: 'autonomous', state: 'acting' });
  expect(isRaised(settled, 't1')).toBe(false);
});

test("a client that calls itself busy does not end what it knows nothing of, and another call's end does not either", () => {
  const two = happen(happen(undefined, 'hook', 'PreToolUse', pre('t1')), 'hook', 'PreToolUse', pre('t2'));
  const waiting = happen(two, 'control', 'ask.raised', raised);
  const busy = happen(waiting, 'watch', 'status.corrected', { status: 'busy' });
  const ended = happen(busy, 'hook', 'PostToolUse', { ...pre('t2'), hook_event_name: 'PostToolUse' });
  expect(ended.state).toMatchObject({ group: 'needs_you', state: 'needs_permission' });
});

test("a subagent's call waits under the subagent", () => {
  const agent = { agent_id: 'a1', agent_type: 'Explore' };
  const running = happen(undefined, 'hook', 'PreToolUse', pre('t1', agent));
  const waiting = happen(running, 'control', 'ask.raised', { ...raised, agentId: 'a1' });
  expect(waiting.subagents[0]?.state.state).toBe('needs_permission');
  expect(waiting.main.state.group).not.toBe('needs_you');
});
