import { expect, test } from 'vitest';
import { countAttention, sayAttention } from './attention.ts';
import type { LiveSession } from './sessions.ts';

type Counted = Pick<LiveSession, 'id' | 'agentState' | 'attention'>;

const session = (id: string, state: string, over: Partial<Counted> = {}): Counted => ({
  id,
  agentState: { group: 'needs_you', state, label: '' },
  attention: 'settled',
  ...over,
});
const held = { decision: 'allow' as const, by: 'Desk', until: 1 };

test('counts requests to answer and idle sessions, each thing once', () => {
  const sessions = [
    session('asks twice', 'needs_permission'),
    session('asks in its terminal', 'awaiting_input'),
    session('is being answered', 'needs_permission'),
    session('idle', 'idle'),
    session('failed', 'error'),
    session('not settled', 'idle', { attention: 'settling' }),
    session('works', 'thinking', { agentState: { group: 'autonomous', state: 'thinking', label: '' } }),
  ];
  const pending = [
    { sessionId: 'asks twice' },
    { sessionId: 'asks twice' },
    { sessionId: 'is being answered', held },
    { sessionId: 'not on the board' },
  ];
  expect(countAttention(sessions, pending)).toEqual({ requests: 4, idle: 2 });
});

test('shows both numbers', () => {
  expect(sayAttention({ requests: 1, idle: 0 })).toBe('1 request, 0 idle');
  expect(sayAttention({ requests: 4, idle: 3 })).toBe('4 requests, 3 idle');
});
