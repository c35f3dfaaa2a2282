import { expect, test } from 'vitest';
import type { Approval } from '../contract/approvals.ts';
import { describeDecision } from './describe-delivery.ts';

const approval: Approval = {
  id: 'a1',
  origin: 'hook',
  correlationId: 'c1',
  sessionId: 's1',
  kind: 'permission',
  toolName: 'Bash',
  toolInput: {},
  status: 'decided',
  createdAt: 1,
  decision: { decision: 'allow', by: 'Desk', at: 2, waitedMs: 1 },
};

test('reports what happened to a decision, and never claims more than is known', () => {
  const say = (delivery: Approval['delivery'], more: Partial<Approval> = {}) =>
    describeDecision({ ...approval, ...more, ...(delivery ? { delivery } : {}) });
  expect(say({ state: 'delivered', at: 3 })).toBe('Allowed, delivered to the terminal: Bash');
  expect(say({ state: 'not_delivered', at: 3, why: 'The session ended first.' })).toBe(
    'Allowed, but not delivered: Bash. The session ended first.',
  );
  expect(say({ state: 'pending', at: 3 })).toMatch(/^Allowed, not delivered yet: Bash\. Waiting for the terminal/);
  expect(say(undefined)).toBe('Allowed: Bash');
  const denied = { decision: { ...approval.decision!, decision: 'deny' as const }, origin: 'api' as const };
  expect(say({ state: 'delivered', at: 3 }, denied)).toBe('Denied, delivered to the program that asked: Bash');
});
