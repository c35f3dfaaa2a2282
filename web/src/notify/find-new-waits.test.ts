import { expect, it } from 'vitest';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import { aSession } from '../live/session-for-test.ts';
import { createNewWaits } from './find-new-waits.ts';

const waits = (id: string, over: Partial<LiveSession> = {}) =>
  aSession(id, {
    attention: 'settled',
    agentState: { group: 'needs_you', state: 'needs_permission', label: 'Needs permission' },
    ...over,
  });

it('notifies once for each wait that starts while the page is open', () => {
  const check = createNewWaits();
  expect(check([waits('old')])).toEqual([]);
  expect(check([waits('old'), waits('new')]).map(({ id }) => id)).toEqual(['new']);
  expect(check([waits('old'), waits('new')])).toEqual([]);
  expect(check([waits('old'), waits('new', { stateSince: 2_000 })]).map(({ id }) => id)).toEqual(['new']);
});

it('does not notify about what has not settled, or keeps working', () => {
  const check = createNewWaits();
  check([]);
  expect(check([waits('a', { attention: 'settling' }), aSession('b')])).toEqual([]);
});
