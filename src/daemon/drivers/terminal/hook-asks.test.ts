import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../journal/journal.ts';
import type { Session } from '../../sessions/session.ts';
import { transition } from './transition-for-test.ts';

const T0 = 1_000_000;
let seq = 0;

const event = (source: JournalEvent['source'], name: string, payload: object, at: number): JournalEvent => ({
  seq: ++seq,
  at,
  sessionId: 's',
  source,
  name,
  payload: { ...payload },
});

/** Each a hundred milliseconds after the previous one. */
function fold(events: [JournalEvent['source'], string, object][], from?: Session): Session {
  return events.reduce<Session | undefined>(
    (session, [source, name, payload], index) => transition(session, event(source, name, payload, T0 + index * 100)),
    from,
  )!;
}

const hook = (name: string, more: object = {}): ['hook', string, object] => [
  'hook',
  name,
  { session_id: 's', hook_event_name: name, prompt_id: 'p1', ...more },
];
const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command } });
const prompt = hook('UserPromptSubmit', { prompt: 'Go' });
const started = (command: string, more: object = {}) =>
  hook('PreToolUse', { ...bash(command), tool_use_id: `id-${command}`, ...more });
const asked = (command: string, more: object = {}) => hook('PermissionRequest', { ...bash(command), ...more });
const call = (command: string) => ({
  id: `id-${command}`,
  name: 'Bash',
  inputHash: JSON.stringify(bash(command).tool_input),
});
const elicitation = hook('Elicitation', { mcp_server_name: 'asker', message: 'Your name?' });
const askedNow = ({ main, subagents }: Session) =>
  [main, ...subagents].flatMap(({ calls }) => calls.filter(({ ask }) => ask).map(({ id, name }) => id ?? name));

describe('a call held before its client asks the operator', () => {
  const raised = { toolUseId: 'id-a', toolName: 'Bash', toolInput: { command: 'a' } };

  it('waits for the operator until it is decided', () => {
    const waiting = fold([prompt, started('a'), ['control', 'ask.raised', raised]]);
    expect(waiting.state).toMatchObject({
      group: 'needs_you',
      state: 'needs_permission',
      label: 'Needs permission: Bash',
      context: { command: 'a' },
    });
    const decided = fold([['control', 'ask.decided', { calls: [call('a')], decision: 'allow' }]], waiting);
    expect(decided.state).toMatchObject({ group: 'autonomous', state: 'acting' });
  });

  it("is not ended by the client's status, which does not cover it, nor by the end of another call", () => {
    const ended = hook('PostToolUse', { ...bash('b'), tool_use_id: 'id-b' });
    const waiting = fold([prompt, started('a'), started('b'), ['control', 'ask.raised', raised]]);
    const busy = { status: 'busy', statusUpdatedAt: T0 + 10_000 };
    expect(askedNow(fold([['watch', 'status.corrected', busy], ended], waiting))).toEqual(['id-a']);
  });

  it("of a subagent's waits under the subagent", () => {
    const agent = { agent_id: 'a1', agent_type: 'Explore' };
    const waiting = fold([prompt, started('a', agent), ['control', 'ask.raised', { ...raised, agentId: 'a1' }]]);
    expect(waiting.subagents[0]?.state.state).toBe('needs_permission');
    expect(waiting.main.state.group).toBe('autonomous');
  });
});

describe('a question to the operator', () => {
  it('ends when our answer reaches the client: an allowed call runs, a denied one is gone', () => {
    const before = fold([prompt, started('a'), asked('a')]);
    const decided = (decision: string) =>
      transition(before, event('control', 'ask.decided', { calls: [call('a')], decision }, T0 + 5000));
    expect(decided('allow').state).toMatchObject({ state: 'acting', label: 'Running: a' });
    expect(decided('allow').main.calls).toMatchObject([{ id: 'id-a', ask: null }]);
    expect(decided('deny').state).toMatchObject({ state: 'thinking', label: 'Denied: Bash' });
    expect(decided('deny').main.calls).toEqual([]);
    const ended = event('control', 'ask.decided', { calls: [call('a')], decision: 'deny', endsTurn: true }, T0 + 5000);
    expect(transition(before, ended).state).toMatchObject({ state: 'idle', label: 'Denied: Bash' });
  });

  it('can be answered only in the terminal once we no longer hold it', () => {
    const held = fold([prompt, started('a', { agent_id: 'x' }), asked('a', { agent_id: 'x' })]);
    expect(held.state).toMatchObject({ state: 'needs_permission' });
    expect(held.state.onlyInTerminal).toBeUndefined();
    const left = event('control', 'ask.left_to_terminal', { agentId: 'x', calls: [call('a')] }, T0 + 5000);
    const after = transition(held, left);
    expect(after.state).toMatchObject({ state: 'needs_permission', onlyInTerminal: true });
    const busy = event('watch', 'status.corrected', { status: 'busy', by: T0 + 6000 }, T0 + 7000);
    expect(transition(after, busy).subagents[0]!.state).toMatchObject({ state: 'acting' });
  });

  it('is not answered by the end of a dialog that was open before it was asked', () => {
    const both = fold([prompt, started('a'), asked('a'), started('b'), asked('b')]);
    const first = event('watch', 'status.corrected', { status: 'busy', by: T0 + 250 }, T0 + 800);
    expect(askedNow(transition(both, first))).toEqual(['id-b']);
  });

  it('is not answered by what the main agent does while a subagent or an MCP server asks', () => {
    const both = fold([prompt, started('a', { agent_id: 'x' }), asked('a', { agent_id: 'x' }), elicitation]);
    const busy = event('watch', 'status.corrected', { status: 'busy', by: T0 + 6000 }, T0 + 7000);
    expect(askedNow(transition(both, busy))).toEqual(['elicitation', 'id-a']);
  });

  it('is not answered by a prompt typed during the turn', () => {
    const held = fold([prompt, elicitation]);
    expect(askedNow(fold([hook('UserPromptSubmit', { prompt: 'And this' })], held))).toEqual(['elicitation']);
    expect(askedNow(fold([hook('UserPromptSubmit', { prompt_id: 'p2' })], held))).toEqual([]);
    expect(askedNow(fold([hook('UserPromptSubmit', { prompt_id: undefined })], held))).toEqual([]);
  });

  it('is not answered by the end of another turn', () => {
    const held = fold([prompt, started('a'), asked('a')]);
    for (const end of ['Stop', 'StopFailure', 'PostToolBatch']) {
      expect(askedNow(fold([hook(end, { prompt_id: 'p2' })], held))).toEqual(['id-a']);
      expect(askedNow(fold([hook(end)], held))).toEqual([]);
    }
  });

  it('from an MCP server ends when the last of its tools has ended', () => {
    const tool = (name: string, id: string) =>
      hook(name, { tool_name: 'mcp__asker__ask', tool_input: {}, tool_use_id: id });
    const held = fold([prompt, tool('PreToolUse', 't1'), tool('PreToolUse', 't2'), elicitation]);
    const one = fold([tool('PostToolUse', 't1')], held);
    expect(askedNow(one)).toEqual(['elicitation']);
    expect(askedNow(fold([tool('PostToolUseFailure', 't2')], one))).toEqual([]);
  });

  it('is kept no matter how many calls run in parallel', () => {
    const many = Array.from({ length: 200 }, (_, n) => started(`n${n}`));
    expect(askedNow(fold([prompt, started('a'), asked('a'), ...many]))).toEqual(['id-a']);
  });

  it('of the main agent stays on the board when a subagent ends', () => {
    const held = fold([
      prompt,
      hook('SubagentStart', { agent_id: 'x', agent_type: 'general' }),
      started('a'),
      asked('a'),
      hook('SubagentStop', { agent_id: 'x' }),
    ]);
    expect(held.state).toMatchObject({ state: 'needs_permission' });
  });
});
