import { describe, expect, it } from 'vitest';
import { AgentEvent, MAIN_ACTOR } from './agent-events.ts';

const actor = { id: MAIN_ACTOR };

describe('agent events', () => {
  it("keeps a call's events together from start to end", () => {
    const call = { id: 'c1', name: 'Bash', input: { command: 'npm test' } };
    const events = [
      { type: 'turn.started', actor, turnId: 't1', prompt: 'Add a test', by: 'operator' },
      { type: 'tool.started', actor, turnId: 't1', call },
      { type: 'ask.raised', actor, turnId: 't1', kind: 'permission', call, hasDialog: false },
      { type: 'tool.ended', actor, turnId: 't1', call, durationMs: 12 },
      { type: 'turn.ended', actor, turnId: 't1', outcome: { kind: 'completed' } },
    ];
    for (const event of events) expect(AgentEvent.parse(event)).toEqual(event);
  });

  it('rejects an event that no source may send', () => {
    expect(AgentEvent.safeParse({ type: 'PreToolUse', actor }).success).toBe(false);
    expect(AgentEvent.safeParse({ type: 'tool.started', call: { name: 'Bash' } }).success).toBe(false);
    expect(AgentEvent.safeParse({ type: 'turn.ended', actor, outcome: { kind: 'failed' } }).success).toBe(false);
  });
});
