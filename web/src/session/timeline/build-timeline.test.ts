import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../../../src/contract/sessions.ts';
import { buildTimeline } from './build-timeline.ts';
import { timeScale } from './time-scale.ts';

let seq = 0;
const hook = (at: number, name: string, payload: Record<string, unknown> = {}): SessionEvent => ({
  seq: ++seq,
  at,
  sessionId: 's',
  source: 'hook',
  name,
  payload,
});
const bash = { tool_name: 'Bash', tool_input: { command: 'npm test' } };

describe('a timeline', () => {
  it('follows the main agent and each subagent on a lane of its own', () => {
    const { lanes, from, to } = buildTimeline(
      [
        hook(10, 'UserPromptSubmit'),
        hook(20, 'PreToolUse', bash),
        hook(21, 'PermissionRequest', bash),
        { ...hook(30, 'approval.decided'), source: 'control' },
        hook(31, 'PostToolUse', bash),
        hook(32, 'SubagentStart', { agent_id: 'a1', agent_type: 'Explore' }),
        hook(40, 'PreToolUse', { ...bash, agent_id: 'a1', agent_type: 'Explore' }),
        hook(50, 'SubagentStop', { agent_id: 'a1' }),
        hook(60, 'Stop', { background_tasks: [] }),
      ],
      { now: 100 },
    );
    expect([from, to]).toEqual([10, 100]);
    const drawn = lanes.map(({ name, spans }) => [name, spans.map((span) => [span.state, span.from, span.to])]);
    expect(drawn).toEqual([
      [
        'Main agent',
        [
          ['thinking', 10, 20],
          ['acting', 20, 21],
          ['needs_permission', 21, 31],
          ['thinking', 31, 60],
          ['idle', 60, null],
        ],
      ],
      [
        'Explore',
        [
          ['thinking', 32, 40],
          ['acting', 40, 50],
        ],
      ],
    ]);
    expect(lanes[0]?.spans[1]?.words).toBe('Running npm test');
  });

  it('takes a question that is told of twice for one', () => {
    const ask = { tool_name: 'AskUserQuestion', tool_input: { questions: [] } };
    const { lanes } = buildTimeline([hook(1, 'PreToolUse', ask), hook(3, 'PermissionRequest', ask)], { now: 9 });
    expect(lanes[0]?.spans).toHaveLength(1);
  });

  it('ends with the session, and ignores what it does not know', () => {
    const events = [hook(1, 'UserPromptSubmit'), hook(2, 'FutureEvent'), hook(5, 'SessionEnd')];
    expect(buildTimeline(events, { now: 900 })).toMatchObject({ to: 5, lanes: [{ spans: [{ from: 1, to: 5 }] }] });
    expect(buildTimeline([], { now: 7 })).toEqual({ lanes: [], from: 7, to: 7 });
  });

  it('draws a night of waiting short, and keeps the order', () => {
    const hour = 3_600_000;
    const timeline = buildTimeline(
      [
        hook(0, 'UserPromptSubmit'),
        hook(60_000, 'Stop'),
        hook(60_000 + 8 * hour, 'UserPromptSubmit'),
        hook(120_000 + 8 * hour, 'Stop'),
      ],
      { now: 120_000 + 8 * hour },
    );
    const scale = timeScale(timeline);
    const places = [0, 60_000, 60_000 + 8 * hour, 120_000 + 8 * hour].map(scale.at);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[1]! - places[0]!).toBeGreaterThan(0.4);
    expect(places.at(-1)).toBeCloseTo(1);
    expect(scale.cuts).toMatchObject([{ ms: 8 * hour }]);
  });
});
