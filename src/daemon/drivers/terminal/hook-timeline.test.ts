import { expect, it } from 'vitest';
import { TimelineBuilder } from '../../sessions/timeline.ts';
import { translate } from '../to-agent-events.ts';

let seq = 0;
const hook = (at: number, name: string, payload: Record<string, unknown> = {}) => ({
  seq: ++seq,
  at,
  sessionId: 's',
  source: 'hook' as const,
  name,
  payload: { session_id: 's', hook_event_name: name, ...payload },
});
const bash = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 't1' };

function timelineOf(events: Parameters<typeof translate>[0][]) {
  const builder = new TimelineBuilder();
  for (const event of events) builder.add(translate(event));
  return builder.result();
}

it('gives the main agent and each subagent its own lane', () => {
  const explore = { agent_id: 'a1', agent_type: 'Explore' };
  const { lanes, from, to } = timelineOf([
    hook(10, 'UserPromptSubmit', { prompt: 'Go' }),
    hook(20, 'PreToolUse', bash),
    hook(21, 'PermissionRequest', { ...bash, tool_use_id: undefined }),
    hook(31, 'PostToolUse', bash),
    hook(32, 'SubagentStart', explore),
    hook(40, 'PreToolUse', { ...bash, ...explore, tool_use_id: 't2' }),
    hook(50, 'SubagentStop', explore),
    hook(60, 'Stop', { background_tasks: [] }),
  ]);
  expect([from, to]).toEqual([10, 60]);
  expect(lanes.map(({ actorId, type, spans }) => [actorId, type, spans.map((s) => [s.state, s.from, s.to])])).toEqual([
    [
      'main',
      'main',
      [
        ['thinking', 10, 20],
        ['acting', 20, 21],
        ['needs_permission', 21, 31],
        ['thinking', 31, 32],
        ['delegating', 32, 50],
        ['acting', 50, 60],
        ['idle', 60, null],
      ],
    ],
    [
      'a1',
      'Explore',
      [
        ['thinking', 32, 40],
        ['acting', 40, 50],
      ],
    ],
  ]);
  expect(lanes[0]?.spans[1]).toMatchObject({ label: 'Running: npm test', callId: 't1' });
  expect(lanes[0]?.spans[2]).toMatchObject({ callId: 't1' });
});

it('counts a question once if two hooks report it', () => {
  const ask = { tool_name: 'AskUserQuestion', tool_input: { questions: [] } };
  const { lanes } = timelineOf([
    hook(1, 'PreToolUse', { ...ask, tool_use_id: 'q' }),
    hook(3, 'PermissionRequest', ask),
  ]);
  expect(lanes[0]?.spans).toMatchObject([{ state: 'awaiting_input', from: 1, to: null }]);
});

it('shows an Esc at the keyboard, which no hook reports', () => {
  const esc = { ...hook(9, 'status.corrected'), source: 'watch' as const, payload: { status: 'idle' } };
  const { lanes } = timelineOf([hook(1, 'UserPromptSubmit', { prompt: 'Go' }), esc]);
  expect(lanes[0]?.spans.map(({ state }) => state)).toEqual(['thinking', 'interrupted']);
});

it('ends with the session, and ignores unknown events', () => {
  const events = [hook(1, 'UserPromptSubmit', { prompt: 'x' }), hook(2, 'FutureEvent'), hook(5, 'SessionEnd')];
  expect(timelineOf(events)).toMatchObject({ to: 5, lanes: [{ spans: [{ from: 1, to: 5 }] }] });
  expect(timelineOf([])).toEqual({ lanes: [], tools: [], from: null, to: null });
});
