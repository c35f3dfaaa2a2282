import { expect, test } from 'vitest';
import type { Approval } from '../../contract/approvals.ts';
import { ANSWERED_FIRST, type CallEvidence, provenBy } from './delivery-proof.ts';

const decided = (decision: 'allow' | 'deny', over: object = {}, releaseTo?: 'client' | 'terminal'): Approval => ({
  id: 'a',
  origin: 'hook',
  correlationId: 'c',
  sessionId: 's',
  kind: 'permission',
  toolName: 'Bash',
  toolInput: {},
  status: 'decided',
  createdAt: 0,
  ...(releaseTo ? { releaseTo } : {}),
  decision: { decision, by: 'browser', at: 1, waitedMs: 1, ...over },
});
const allow = decided('allow');
const deny = decided('deny', { message: 'Not today' });

const named = { namesHooks: true };
const ran: CallEvidence = { ...named, result: { text: 'done' } };
const stopped: CallEvidence = { namesHooks: false, result: { refusal: 'stopped', text: 'no' } };
const said: CallEvidence = { ...named, result: { refusal: 'said', text: 'no, rather this' } };
const hook = (hookDecision: 'allow' | 'deny'): CallEvidence => ({ ...named, hookDecision });

const CASES: [what: string, approval: Approval, evidence: CallEvidence[], proven: string | undefined][] = [
  ['nothing is written yet', deny, [{ namesHooks: false }], undefined],
  ['no call is known', deny, [], undefined],
  ['the client took the denial', deny, [hook('deny')], 'delivered'],
  ['the client took the allow', allow, [hook('allow')], 'delivered'],
  ['another hook allowed it', deny, [hook('allow')], ANSWERED_FIRST.otherHook],
  ['another hook denied it', allow, [hook('deny')], ANSWERED_FIRST.otherHook],
  ['the denied call ran', deny, [ran], ANSWERED_FIRST.ran],
  ['the denied call failed', deny, [{ ...named, result: { text: 'Exit code 1' } }], ANSWERED_FIRST.ran],
  ['the agent was told the reason', deny, [{ namesHooks: false, result: { text: 'Error: Not today' } }], 'delivered'],
  ['No at the keyboard before the denial', deny, [stopped], ANSWERED_FIRST.refused],
  ['No with words before the denial', deny, [said], ANSWERED_FIRST.refused],
  ['a denial that ends the turn', decided('deny', { interrupt: true }), [stopped], 'delivered'],
  ['No with words before it', decided('deny', { interrupt: true }), [said], ANSWERED_FIRST.refused],
  ['No at the keyboard before the allow', allow, [stopped], ANSWERED_FIRST.refused],
  ['No with words before the allow', allow, [said], ANSWERED_FIRST.refused],
  ['Yes at the keyboard before the allow', allow, [ran], ANSWERED_FIRST.keyboard],
  ['a client that names no hooks', allow, [{ ...ran, namesHooks: false }], 'delivered'],
  ['an allow without a terminal', decided('allow', {}, 'client'), [ran], 'delivered'],
  ['one of two equal calls has it', allow, [hook('allow'), ran], 'delivered'],
  ['one of two equal calls is open', deny, [ran, { namesHooks: false }], undefined],
];

test.each(CASES)('tells whether a decision arrived: %s', (_, approval, evidence, proven) => {
  const found = provenBy(approval, evidence);
  expect(found?.state === 'not_delivered' ? found.why : found?.state).toBe(proven);
});

test('takes a stopped call for allowed if it had started, and one refused with words for refused', () => {
  expect(provenBy(allow, [stopped], { hasStarted: true })).toBeUndefined();
  expect(provenBy(allow, [said], { hasStarted: true })).toMatchObject({ state: 'not_delivered' });
});
