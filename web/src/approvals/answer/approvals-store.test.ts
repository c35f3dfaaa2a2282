import { expect, it } from 'vitest';
import type { Approval } from '../../../../src/contract/approvals.ts';
import { anApproval as approval } from './approval.fixture.ts';
import { createApprovalsStore } from './approvals-store.ts';

function open(answers: Array<Approval[] | Promise<Approval[]>>) {
  return createApprovalsStore({ fetchPending: async () => answers.shift() ?? [], schedule: (flush) => flush() });
}

it('lists what waits, the oldest first, by session', async () => {
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

it('never brings back what was settled, however late the list comes', async () => {
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

it('forgets what was settled while nobody listened', async () => {
  const store = open([[approval('a')], []]);
  await store.load();
  await store.load();
  expect(store.snapshot().pending).toEqual([]);
});
