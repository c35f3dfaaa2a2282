import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RuleDecision } from '../../contract/rules.ts';
import type { Ask } from '../approvals/ask.ts';
import type { PermissionCall } from './judge.ts';
import { type PermissionsForTest, startPermissions } from './permissions-for-test.ts';

const call: PermissionCall = {
  origin: 'hook',
  sessionId: 's',
  kind: 'permission',
  toolName: 'Bash',
  toolInput: { command: 'git push' },
  cwd: '/w/app',
};
const question = async (): Promise<Ask> => ({ correlationId: 'c', ...call });

let world: PermissionsForTest;
beforeEach(async () => {
  world = await startPermissions();
});
afterEach(() => world.dispose());

const addRule = (decision: RuleDecision, command = 'git *') =>
  world.rules.create(
    {
      scope: 'global',
      priority: 0,
      enabled: true,
      pattern: { toolName: 'Bash', parameters: { command } },
      decision,
      reason: '',
    },
    'tester',
  );
const precheck = (more: Partial<PermissionCall> = {}) =>
  world.judge.precheck({ ...call, ...more }, { isWritten: true });
const judged = () => world.judge.judge(call, question, { isWritten: true, signal: new AbortController().signal });
const pending = () => [...world.approvals.pending()];

describe('the pipeline of a call', () => {
  it('starts with the stop, which outranks an allow rule', async () => {
    await addRule('allow');
    world.stop.message = 'Stopped';
    expect(await precheck()).toEqual({ decision: 'deny', by: 'stop', why: 'Stopped', endsTurn: true });
  });

  it.each(['allow', 'deny'] as const)('ends at a rule that says %s', async (decision) => {
    const { id } = await addRule(decision);
    expect(await judged()).toMatchObject({ decision, by: 'rule', rule: { id } });
    expect(pending()).toEqual([]);
  });

  it('continues with the policy if no rule matches', async () => {
    await world.policies.set('/w', 'deny', 'tester');
    expect(await precheck()).toMatchObject({ decision: 'deny', by: 'policy' });
    await world.policies.set('/w', 'ask', 'tester');
    expect(await precheck()).toMatchObject({ decision: 'ask', by: 'policy' });
    await world.policies.set('/w', 'observe', 'tester');
    expect(await precheck()).toMatchObject({ decision: 'none', by: 'nobody' });
  });

  it('ends with the operator, who sees which rule asked', async () => {
    const { id: ruleId } = await addRule('ask');
    const verdict = judged();
    await expect.poll(pending).toMatchObject([{ ruleId, toolName: 'Bash' }]);
    const toolInput = { command: 'git push --dry-run' };
    await world.approvals.decide(pending()[0]!.id, { decision: 'allow', updatedInput: toolInput }, 'tester');
    expect(await verdict).toMatchObject({ decision: 'allow', by: 'operator', updatedInput: toolInput });
    expect(world.asked).toEqual([undefined]);
  });

  it('does not ask an absent operator, and records that', async () => {
    world.absence.message = 'Nobody is there.';
    expect(await judged()).toMatchObject({ decision: 'none', by: 'nobody' });
    expect([pending(), world.asked]).toEqual([[], []]);
    expect(world.approvals.list({ limit: 10 })).toMatchObject([{ status: 'released', closedWhy: 'Nobody is there.' }]);
  });

  it('never lets a rule or policy answer a question to the operator, but a rule may refuse it', async () => {
    await world.policies.set('', 'deny', 'tester');
    const toQuestion = { kind: 'question', toolName: 'AskUserQuestion', toolInput: {} } as const;
    const about = { toolName: 'AskUserQuestion', parameters: {} };
    const { id, ...draft } = { ...(await addRule('allow')), pattern: about };
    const { version: _, createdAt: __, updatedAt: ___, ...rest } = draft;
    await world.rules.update(id, rest, 'tester');
    expect(await precheck(toQuestion)).toMatchObject({ decision: 'none', by: 'nobody' });
    await world.rules.update(id, { ...rest, decision: 'deny' }, 'tester');
    expect(await precheck(toQuestion)).toMatchObject({ decision: 'deny', by: 'rule' });
  });
});

describe('a call that is not in the journal', () => {
  const unwritten = () => world.judge.judge(call, question, { isWritten: false, signal: new AbortController().signal });

  it("isn't allowed and asks no one, but a deny applies", async () => {
    await addRule('allow');
    expect(await unwritten()).toMatchObject({ decision: 'none' });
    await addRule('ask');
    expect(await unwritten()).toMatchObject({ decision: 'none' });
    await addRule('deny');
    expect(await unwritten()).toMatchObject({ decision: 'deny', by: 'rule' });
    expect(pending()).toEqual([]);
  });
});
