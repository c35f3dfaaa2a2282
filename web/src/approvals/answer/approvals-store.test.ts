import { expect, it } from 'vitest';
import type { Approval } from '../../../../src/contract/approvals.ts';
import { anApproval as approval } from './approval-for-test.ts';
import { createApprovalsStore } from './approvals-store.ts';

const QUIET = {
  fetchUndelivered: async () => [],
  fetchOne: async () => Promise.reject(new Error('not asked for')),
  schedule: (flush: () => void) => flush(),
};

function open(answers: Array<Approval[] | Promise<Approval[]>>) {
  return createApprovalsStore({ ...QUIET, fetchPending: async () => answers.shift() ?? [] });
}

it('lists pending approvals by session, oldest first', async () => {
  const store = open([
    [approval('b', { createdAt: 2_000 }), approval('a'), approval('c', { sessionId: 's2', createdAt: 3_000 })],
  ]);
  expect(store.snapshot().ready).toBe(false);
  await store.load();
  const { pending, bySession, ready } = store.snapshot();
  expect(pending.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(bySession.get('s1')?.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(ready).toBe(true);
});

it('never brings back a settled approval, however late the list arrives', async () => {
  let answer: (approvals: Approval[]) => void = () => undefined;
  const store = open([
    new Promise((resolve) => {
      answer = resolve;
    }),
  ]);
  const loading = store.load();
  store.put(approval('a', { status: 'decided' }));
  store.put(approval('new'));
  answer([approval('a'), approval('b')]);
  await loading;
  expect(store.snapshot().pending.map(({ id }) => id)).toEqual(['b', 'new']);
  expect(store.get('a')?.status).toBe('decided');
});

it('forgets what was settled while disconnected', async () => {
  const store = open([[approval('a')], []]);
  await store.load();
  await store.load();
  expect(store.snapshot().pending).toEqual([]);
});

const sent = (id: string, state: 'pending' | 'delivered' | 'not_delivered', over: Partial<Approval> = {}) =>
  approval(id, { status: 'decided', settledAt: 5_000, delivery: { state, at: 5_000 }, ...over });

it('lists undelivered decisions until they are delivered', async () => {
  const store = createApprovalsStore({
    ...QUIET,
    fetchPending: async () => [],
    fetchUndelivered: async () => [sent('b', 'pending', { settledAt: 6_000 }), sent('a', 'pending')],
  });
  await store.load();
  const listed = () => store.snapshot().undelivered.map(({ id }) => id);
  expect(listed()).toEqual(['a', 'b']);
  store.put(sent('a', 'delivered'));
  expect(listed()).toEqual(['b']);
  store.put(sent('b', 'not_delivered'));
  expect(listed()).toEqual([]);
  // a list that was on its way meanwhile
  await store.load();
  expect(listed()).toEqual([]);
});

it('asks for the outcome of a decision whose response was lost', async () => {
  const undelivered = [[sent('a', 'pending'), sent('gone', 'pending')], []];
  const store = createApprovalsStore({
    ...QUIET,
    fetchPending: async () => [],
    fetchUndelivered: async () => undelivered.shift() ?? [],
    fetchOne: async (id) => (id === 'a' ? sent('a', 'not_delivered') : Promise.reject(new Error('unknown'))),
  });
  await store.load();
  await store.load();
  await expect.poll(() => store.snapshot().undelivered).toEqual([]);
  expect(store.get('a')?.delivery?.state).toBe('not_delivered');
});
