import { expect, test } from 'vitest';
import { anApproval } from '../approvals/answer/approval-for-test.ts';
import { aSession } from '../live/session-for-test.ts';
import { inboxItems, placeAfter } from './inbox-items.ts';

const idle = { group: 'needs_you', state: 'idle', label: 'Idle' } as const;

test('lists requests, then idle sessions, each once and oldest first', () => {
  const sessions = [
    aSession('s1', { agentState: { ...idle, state: 'needs_permission' }, attention: 'settled' }),
    aSession('late', { agentState: idle, attention: 'settled', stateSince: 9 }),
    aSession('early', { agentState: idle, attention: 'settled', stateSince: 3 }),
    aSession('unsettled', { agentState: idle, attention: 'settling' }),
    aSession('answered', { agentState: idle, attention: 'settled', stateSince: 1 }),
    aSession('busy'),
  ];
  const pending = [anApproval('a', { createdAt: 1 }), anApproval('b', { createdAt: 2 })];
  expect(inboxItems(pending, sessions, ({ id }) => id === 'answered').map(({ key }) => key)).toEqual([
    'a',
    'b',
    'session:early',
    'session:late',
  ]);
});

test('lists two sessions that write the same file once', () => {
  const collision = (sessionId: string) => ({ sessionId, place: null, files: ['/w/x.ts'], since: 5 });
  const sessions = [aSession('b', { collisions: [collision('a')] }), aSession('a', { collisions: [collision('b')] })];
  expect(inboxItems([], sessions, () => false)).toEqual([
    { key: 'collision:a:b', kind: 'collision', sessionId: 'b', since: 5 },
  ]);
});

test('keeps the position in the list when an item disappears', () => {
  const items = inboxItems([anApproval('a'), anApproval('b'), anApproval('c')], [], () => false);
  const without = (key: string) => items.filter((item) => item.key !== key);
  expect(placeAfter(items, items, 'b')).toBe('b');
  expect(placeAfter(without('b'), items, 'b')).toBe('c');
  expect(placeAfter(without('c'), items, 'c')).toBe('b');
  expect(placeAfter([], items, 'a')).toBeNull();
  expect(placeAfter(items, [], null)).toBe('a');
});
