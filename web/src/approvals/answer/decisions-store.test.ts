import { expect, test, vi } from 'vitest';
import type { Approval, DecisionRequest } from '../../../../src/contract/approvals.ts';
import { ApiError } from '../../api/request.ts';
import { createDrafts } from '../../ui/drafts.ts';
import { draftKey } from './approval-draft.ts';
import { anApproval } from './approval-for-test.ts';
import { createApprovalsStore } from './approvals-store.ts';
import { createDecisionsStore } from './decisions-store.ts';

const decided = (by: string, decision: 'allow' | 'deny' = 'deny'): Approval =>
  anApproval('a', { status: 'decided', decision: { decision, by, at: 2_000, waitedMs: 1_000 } });
const held = (decision: 'allow' | 'deny' = 'allow'): Approval =>
  anApproval('a', { held: { decision, by: 'me', until: 6_000 } });
const tooLate = (approval: Approval) =>
  new ApiError({ code: 'approval.already_decided', message: 'Too late', status: 409, ...{ approval } });

function setUp(answer: (id: string, request: DecisionRequest) => Promise<Approval>) {
  const approvals = createApprovalsStore({
    fetchPending: async () => [],
    fetchUndelivered: async () => [],
    fetchOne: async (id) => Promise.reject(new Error(id)),
    schedule: (flush) => flush(),
  });
  const drafts = createDrafts(null);
  const sent: string[] = [];
  const decisions = createDecisionsStore({
    approvals,
    drafts,
    fetchOne: async () => anApproval('a', { status: 'expired' }),
    send: (id, request) => {
      sent.push(`${request.decision} ${id}`);
      return answer(id, request);
    },
    takeBack: async () => anApproval('a'),
  });
  approvals.put(anApproval('a'));
  return { approvals, drafts, decisions, sent };
}

test('a decision made twice is sent once', async () => {
  const { decisions, sent, approvals } = setUp(async () => decided('me', 'allow'));
  const outcomes = await Promise.all([
    decisions.decide(anApproval('a'), { decision: 'allow' }),
    decisions.decide(anApproval('a'), { decision: 'deny' }),
  ]);
  expect(outcomes).toEqual(['decided', 'lost']);
  expect(sent).toEqual(['allow a']);
  expect([approvals.snapshot().pending, decisions.missed()]).toEqual([[], []]);
  expect(await decisions.decide(anApproval('a'), { decision: 'deny' })).toBe('lost');
});

test('an operator who was too late learns who won, and keeps their text', async () => {
  const winner = decided('phone');
  const { decisions, approvals } = setUp(async () => {
    throw tooLate(winner);
  });
  await decisions.decide(anApproval('a'), { decision: 'deny', message: 'not today' });
  expect(decisions.missed()).toEqual([{ approval: winner, text: 'not today' }]);
  expect(approvals.snapshot().pending).toEqual([]);
  decisions.forgetMissed('a');
  expect(decisions.missed()).toEqual([]);
});

test('returns what was being written when the terminal answered', async () => {
  const { decisions, approvals, drafts } = setUp(async () => decided('me'));
  drafts.set(draftKey('a'), { text: 'because' });
  approvals.put(anApproval('a', { status: 'answered_in_terminal' }));
  await Promise.resolve();
  expect(decisions.missed()).toMatchObject([{ approval: { status: 'answered_in_terminal' }, text: 'because' }]);
});

test('even if it was settled while the page was disconnected', async () => {
  const { decisions, approvals, drafts } = setUp(async () => decided('me'));
  drafts.set(draftKey('a'), { text: 'because' });
  await approvals.load();
  await vi.waitFor(() => expect(decisions.missed()).toMatchObject([{ approval: { status: 'expired' } }]));
});

test('an operator in the Always dialog learns why it is gone', async () => {
  const { decisions, approvals, drafts } = setUp(async () => decided('me'));
  drafts.set(draftKey('a'), { isCreatingRule: true });
  approvals.put(decided('phone'));
  await Promise.resolve();
  expect(decisions.missed()).toEqual([{ approval: decided('phone'), text: '' }]);
});

test('a request without a draft disappears quietly', async () => {
  const { decisions, approvals } = setUp(async () => decided('me'));
  approvals.put(anApproval('a', { status: 'cancelled' }));
  await Promise.resolve();
  expect(decisions.missed()).toEqual([]);
});

test('a failure is shown, and the decision can be made again', async () => {
  let up = false;
  const { decisions } = setUp(async () => {
    if (!up) throw new ApiError({ code: 'unreachable', message: 'no answer', status: 0 });
    return decided('me');
  });
  await decisions.decide(anApproval('a'), { decision: 'allow' });
  expect(decisions.of('a')).toEqual({ name: 'failed', message: 'no answer' });
  up = true;
  expect(await decisions.decide(anApproval('a'), { decision: 'allow' })).toBe('decided');
});

test('a held decision keeps the text until it takes effect, and returns it when undone', async () => {
  const { decisions, approvals, drafts } = setUp(async () => held('deny'));
  drafts.set(draftKey('a'), { explaining: true, text: 'not today' });
  expect(await decisions.decide(anApproval('a'), { decision: 'deny', message: 'not today' })).toBe('held');
  expect(decisions.lastHeld()).toBe('a');
  expect(await decisions.undo('a')).toBe(true);
  expect([decisions.lastHeld(), drafts.get(draftKey('a'))]).toEqual([
    undefined,
    { explaining: true, text: 'not today' },
  ]);

  await decisions.decide(anApproval('a'), { decision: 'deny', message: 'not today' });
  approvals.put(decided('me'));
  await Promise.resolve();
  expect([decisions.missed(), drafts.get(draftKey('a'))]).toEqual([[], undefined]);
});

test('a held decision that the terminal answered first is reported', async () => {
  const { decisions, approvals } = setUp(async () => held());
  await decisions.decide(anApproval('a'), { decision: 'allow' });
  approvals.put(anApproval('a', { status: 'answered_in_terminal' }));
  await Promise.resolve();
  expect(decisions.missed()).toMatchObject([{ approval: { status: 'answered_in_terminal' } }]);
});

test('a decision undone on another device can be made again here', async () => {
  const { decisions, approvals, sent } = setUp(async () => held());
  await decisions.decide(anApproval('a'), { decision: 'allow' });
  approvals.put(anApproval('a'));
  await decisions.decide(anApproval('a'), { decision: 'allow' });
  expect(sent).toEqual(['allow a', 'allow a']);
});

test('a decision that another device is holding is shown, and keeps the draft', async () => {
  const { decisions, approvals } = setUp(async () => {
    throw tooLate(held());
  });
  expect(await decisions.decide(anApproval('a'), { decision: 'deny' })).toBe('lost');
  expect([decisions.missed(), approvals.get('a')?.held?.by]).toEqual([[], 'me']);
});
