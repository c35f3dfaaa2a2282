import { describe, expect, it } from 'vitest';
import type { AgentState, LiveSession } from '../../../src/contract/sessions.ts';
import { cardLines } from './card-lines.ts';

const lines = (agentState: AgentState, over: Partial<LiveSession> = {}) =>
  cardLines({ agentState, attention: 'settled', currentActivity: '', ...over });

describe('a card', () => {
  it('names the tool beside the badge and shows its request, once', () => {
    const state: AgentState = {
      group: 'needs_you',
      state: 'needs_permission',
      label: 'Needs permission: Bash',
      context: { command: 'make deploy' },
    };
    expect(lines(state, { currentActivity: 'Running: make deploy' })).toEqual({
      subject: 'Bash',
      activities: [],
      ask: { text: 'make deploy', code: true, more: 0 },
    });
  });

  it('does not repeat its badge', () => {
    const state: AgentState = { group: 'autonomous', state: 'thinking', label: 'Thinking...' };
    expect(lines(state, { currentActivity: 'thinking' }).activities).toEqual([]);
  });

  it('describes the activity once, plus what differs', () => {
    const state: AgentState = { group: 'autonomous', state: 'acting', label: 'Running: ls' };
    expect(lines(state, { currentActivity: 'Running: ls' }).activities).toEqual(['Running: ls']);
    expect(lines(state, { currentActivity: 'Explore: maps it' }).activities).toEqual([
      'Running: ls',
      'Explore: maps it',
    ]);
  });

  it('shows a question in its own words', () => {
    const state: AgentState = {
      group: 'needs_you',
      state: 'awaiting_input',
      label: 'Asked you a question',
      context: { questions: [{ question: 'Which?' }] },
    };
    expect(lines(state)).toEqual({ subject: '', activities: [], ask: { text: 'Which?', code: false, more: 0 } });
  });

  it('says what failed and how, but not before the failure has settled', () => {
    const state: AgentState = {
      group: 'needs_you',
      state: 'error',
      label: 'Failed: Bash',
      context: { error: 'Exit code 1' },
    };
    expect(lines(state)).toMatchObject({ activities: ['Failed: Bash'], ask: { text: 'Exit code 1' } });
    expect(lines(state, { attention: 'settling' })).toMatchObject({ activities: ['Failed: Bash'], ask: null });
  });
});
