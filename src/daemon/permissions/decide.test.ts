import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RuleDraft } from '../../contract/rules.ts';
import { ApprovalAlreadySettled } from '../approvals/already-settled.ts';
import { createDecide, type Decide } from './decide.ts';
import { type PermissionsForTest, startPermissions } from './permissions-for-test.ts';

const npmRun: RuleDraft = {
  scope: 'global',
  priority: 0,
  enabled: true,
  pattern: { toolName: 'Bash', parameters: { command: 'npm run *' } },
  decision: 'allow',
  reason: '',
};

let world: PermissionsForTest;
let decide: Decide;
beforeEach(async () => {
  world = await startPermissions();
  decide = createDecide(world);
});
afterEach(() => world.dispose());

let asked = 0;
const ask = (command: string, more: object = {}) =>
  world.approvals.ask({
    origin: 'hook',
    correlationId: `c${++asked}`,
    sessionId: 's1',
    kind: 'permission',
    toolName: 'Bash',
    toolInput: { command },
    ...more,
  });
const pending = () => [...world.approvals.pending()].map(({ id }) => id);
const events = () => [...world.core.journal.eventsAfter(0)].map(({ name }) => name);

describe('a decision that is remembered', () => {
  it('settles the other approvals that its rule covers, and names the rule', async () => {
    const first = await ask('npm run build');
    const covered = await ask('npm run test', { sessionId: 's2' });
    const other = await ask('npm publish');
    const waits = world.approvals.wait(covered.id, new AbortController());
    const result = await decide(first.id, { decision: 'allow', remember: npmRun }, 'me');
    expect(result).toMatchObject({ id: first.id, decision: { by: 'me' }, rule: npmRun, alsoSettled: [covered.id] });
    expect(await waits).toMatchObject({
      status: 'decided',
      decision: { decision: 'allow', by: 'rule', ruleId: result.rule!.id, reason: expect.stringContaining('npm run') },
    });
    expect(pending()).toEqual([other.id]);
    expect(events().slice(-3)).toEqual(['approval.decided', 'rule.created', 'approval.decided']);
    expect(world.rules.list()).toEqual([result.rule]);
  });

  it('tells the other agents why they were denied', async () => {
    const first = await ask('npm run build');
    const covered = await ask('npm run test');
    const remember = { ...npmRun, decision: 'deny' as const, reason: 'Builds run in CI' };
    await decide(first.id, { decision: 'deny', remember }, 'me');
    expect(world.approvals.get(covered.id).decision).toMatchObject({ decision: 'deny', message: 'Builds run in CI' });
  });

  it('does nothing at all if the rule cannot be saved', async () => {
    const first = await ask('npm run build');
    const covered = await ask('npm run test');
    const before = events();
    world.core.journal.db.exec('ALTER TABLE rule_versions RENAME TO elsewhere');
    const decided = decide(first.id, { decision: 'allow', remember: npmRun }, 'me');
    await expect(decided).rejects.toThrow('rule_versions');
    expect(events()).toEqual(before);
    expect(pending()).toEqual([first.id, covered.id]);
    expect(world.rules.list()).toEqual([]);
    world.core.journal.db.exec('ALTER TABLE elsewhere RENAME TO rule_versions');
    await decide(first.id, { decision: 'allow', remember: npmRun }, 'me');
    expect(pending()).toEqual([]);
  });

  it('creates no rule if someone else has decided', async () => {
    const first = await ask('npm run build');
    await decide(first.id, { decision: 'deny' }, 'me');
    const late = decide(first.id, { decision: 'allow', remember: npmRun }, 'you');
    await expect(late).rejects.toThrow(ApprovalAlreadySettled);
    expect(world.rules.list()).toEqual([]);
  });

  it('makes one rule and one decision when two operators remember at once', async () => {
    const first = await ask('npm run build');
    const both = await Promise.allSettled([
      decide(first.id, { decision: 'allow', remember: npmRun }, 'me'),
      decide(first.id, { decision: 'allow', remember: npmRun }, 'you'),
    ]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(world.rules.list()).toHaveLength(1);
  });

  it('leaves approvals alone that an ask or deny rule also covers', async () => {
    await world.rules.create(
      {
        ...npmRun,
        decision: 'ask',
        pattern: { toolName: 'Bash', parameters: { command: 'npm run deploy*' } },
      },
      'me',
    );
    const first = await ask('npm run build');
    const deploy = await ask('npm run deploy');
    expect(await decide(first.id, { decision: 'allow', remember: npmRun }, 'me')).not.toHaveProperty('alsoSettled');
    expect(pending()).toEqual([deploy.id]);
  });

  it('leaves questions, held decisions and subagents in unknown folders alone', async () => {
    const anything: RuleDraft = { ...npmRun, pattern: { toolName: '*', parameters: {} } };
    const first = await ask('npm run build');
    const question = await ask('', { kind: 'question', toolName: 'AskUserQuestion', toolInput: { questions: [] } });
    const held = await ask('npm run test');
    await world.approvals.hold(held.id, { decision: 'deny', by: 'you', until: Date.now() + 60_000 }, 'you');
    const subagent = await ask('npm run lint', { agentId: 'a1' });
    const placed = await ask('npm run docs', { agentId: 'a1', cwd: '/w/app' });
    const { alsoSettled } = await decide(first.id, { decision: 'allow', remember: anything }, 'me');
    expect(alsoSettled).toEqual([placed.id]);
    expect(pending()).toEqual([question.id, held.id, subagent.id]);
  });
});

it('a rule created elsewhere settles what it covers, too', async () => {
  const covered = await ask('npm run build');
  const other = await ask('npm publish');
  const rule = await world.rules.create(npmRun, 'me');
  await expect.poll(pending).toEqual([other.id]);
  expect(world.approvals.get(covered.id).decision).toMatchObject({ by: 'rule', ruleId: rule.id });
});
