import { expect, test, vi } from 'vitest';
import type { Approval, DecisionRequest } from '../../../src/contract/approvals.ts';
import { ApiError } from '../api/request.ts';
import { createDrafts } from '../ui/drafts.ts';
import { anApproval } from './approval.fixture.ts';
import { draftKey } from './approval-draft.ts';
import { createApprovalsStore } from './approvals-store.ts';
import { createDecisionsStore } from './decisions-store.ts';

const decided = (by: string): Approval =>
  anApproval('a', { status: 'decided', decision: { decision: 'deny', by, at: 2_000, waitedMs: 1_000 } });

function setUp(answer: (id: string, request: DecisionRequest) => Promise<Approval>) {
  const approvals = createApprovalsStore({ fetchPending: async () => [], schedule: (flush) => flush() });
  const drafts = createDrafts(null);
  const sent: Array<[string, string, boolean]> = [];
  const decisions = createDecisionsStore({
    approvals,
    drafts,
    fetchOne: async () => anApproval('a', { status: 'expired' }),
    send: (id, request, { keepalive = false }) => {
      sent.push([id, request.decision, keepalive]);
      return answer(id, request);
    },
  });
  approvals.put(anApproval('a'));
  return { approvals, drafts, decisions, sent };
}

test('said twice is sent once', async () => {
  const { decisions, sent, approvals } = setUp(async () => decided('me'));
  const outcomes = await Promise.all([
    decisions.decide(anApproval('a'), { decision: 'allow' }),
    decisions.decide(anApproval('a'), { decision: 'deny' }),
  ]);
  expect(outcomes).toEqual([true, false]);
  expect(sent).toEqual([['a', 'allow', false]]);
  expect([approvals.snapshot().pending, decisions.missed()]).toEqual([[], []]);
  expect(await decisions.decide(anApproval('a'), { decision: 'deny' })).toBe(false);
});

test('whoever was too late learns who won, and keeps the words', async () => {
  const winner = decided('phone');
  const { decisions, approvals } = setUp(async () => {
    throw new ApiError({
      code: 'approval.already_decided',
      message: 'Too late',
      status: 409,
      ...{ approval: winner },
    });
  });
  await decisions.decide(anApproval('a'), { decision: 'deny', message: 'not today' });
  expect(decisions.missed()).toEqual([{ approval: winner, text: 'not today' }]);
  expect(approvals.snapshot().pending).toEqual([]);
  decisions.forgetMissed('a');
  expect(decisions.missed()).toEqual([]);
});

test('what was being written when the terminal answered is given back', async () => {
  const { decisions, approvals, drafts } = setUp(async () => decided('me'));
  drafts.set(draftKey('a'), { text: 'because' });
  approvals.put(anApproval('a', { status: 'answered_in_terminal' }));
  await Promise.resolve();
  expect(decisions.missed()).toMatchObject([{ approval: { status: 'answered_in_terminal' }, text: 'because' }]);
});

test('also when it was settled while the page was cut off', async () => {
  const { decisions, approvals, drafts } = setUp(async () => decided('me'));
  drafts.set(draftKey('a'), { text: 'because' });
  await approvals.load();
  await vi.waitFor(() => expect(decisions.missed()).toMatchObject([{ approval: { status: 'expired' } }]));
});

test('who was making a rule of it learns why it is gone', async () => {
  const { decisions, approvals, drafts } = setUp(async () => decided('me'));
  drafts.set(draftKey('a'), { ruling: true });
  approvals.put(decided('phone'));
  await Promise.resolve();
  expect(decisions.missed()).toEqual([{ approval: decided('phone'), text: '' }]);
});

test('what nobody was at goes without a word', async () => {
  const { decisions, approvals } = setUp(async () => decided('me'));
  approvals.put(anApproval('a', { status: 'cancelled' }));
  await Promise.resolve();
  expect(decisions.missed()).toEqual([]);
});

test('what comes to the place of one that is settled is not answered by the same click', async () => {
  vi.useFakeTimers();
  try {
    const { decisions, approvals } = setUp(async () => decided('me'));
    approvals.put(anApproval('b'));
    expect(decisions.hasMoved()).toBe(false);
    await decisions.decide(anApproval('a'), { decision: 'allow' });
    expect(decisions.hasMoved()).toBe(true);
    const heard = vi.fn();
    decisions.subscribe(heard);
    await vi.advanceTimersByTimeAsync(600);
    expect(decisions.hasMoved()).toBe(false);
    expect(heard).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});

test('a failure is told, and it can be tried again', async () => {
  let up = false;
  const { decisions } = setUp(async () => {
    if (!up) throw new ApiError({ code: 'unreachable', message: 'no answer', status: 0 });
    return decided('me');
  });
  await decisions.decide(anApproval('a'), { decision: 'allow' });
  expect(decisions.of('a')).toEqual({ name: 'failed', message: 'no answer' });
  up = true;
  expect(await decisions.decide(anApproval('a'), { decision: 'allow' })).toBe(true);
});

test('a held decision can be taken back, and goes out when the page is left', async () => {
  vi.useFakeTimers();
  try {
    const { decisions, sent } = setUp(async () => decided('me'));
    const undo = decisions.decideAfter(anApproval('a'), { decision: 'allow' }, 4_000);
    expect(decisions.of('a')?.name).toBe('held');
    undo();
    await vi.advanceTimersByTimeAsync(5_000);
    expect([sent, decisions.of('a')]).toEqual([[], undefined]);

    const tooLate = decisions.decideAfter(anApproval('a'), { decision: 'allow' }, 4_000);
    decisions.sendHeld();
    tooLate();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(sent).toEqual([['a', 'allow', true]]);
  } finally {
    vi.useRealTimers();
  }
});
