import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DecisionRequest } from '../../contract/approvals.ts';
import type { RuleDraft } from '../../contract/rules.ts';
import { ApprovalAlreadySettled } from '../approvals/already-settled.ts';
import { Decisions } from './decisions.ts';
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
let decisions: Decisions;
let failures: unknown[];
const startDecisions = ({ windowMs = 60_000 } = {}) =>
  new Decisions({ ...world, windowMs: () => windowMs, now: Date.now, onError: (error) => failures.push(error) });
beforeEach(async () => {
  world = await startPermissions();
  failures = [];
  decisions = startDecisions();
});
afterEach(() => {
  world.dispose();
  expect(failures).toEqual([]);
});

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
    const result = await decisions.decide(first.id, { decision: 'allow', remember: npmRun }, 'me');
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
    await decisions.decide(first.id, { decision: 'deny', remember }, 'me');
    expect(world.approvals.get(covered.id).decision).toMatchObject({ decision: 'deny', message: 'Builds run in CI' });
  });

  it('does nothing at all if the rule cannot be saved', async () => {
    const first = await ask('npm run build');
    const covered = await ask('npm run test');
    const before = events();
    world.core.journal.db.exec('ALTER TABLE rule_versions RENAME TO elsewhere');
    const decided = decisions.decide(first.id, { decision: 'allow', remember: npmRun }, 'me');
    await expect(decided).rejects.toThrow('rule_versions');
    expect(events()).toEqual(before);
    expect(pending()).toEqual([first.id, covered.id]);
    expect(world.rules.list()).toEqual([]);
    world.core.journal.db.exec('ALTER TABLE elsewhere RENAME TO rule_versions');
    await decisions.decide(first.id, { decision: 'allow', remember: npmRun }, 'me');
    expect(pending()).toEqual([]);
  });

  it('creates no rule if someone else has decided', async () => {
    const first = await ask('npm run build');
    await decisions.decide(first.id, { decision: 'deny' }, 'me');
    const late = decisions.decide(first.id, { decision: 'allow', remember: npmRun }, 'you');
    await expect(late).rejects.toThrow(ApprovalAlreadySettled);
    expect(world.rules.list()).toEqual([]);
  });

  it('makes one rule and one decision when two operators remember at once', async () => {
    const first = await ask('npm run build');
    const both = await Promise.allSettled([
      decisions.decide(first.id, { decision: 'allow', remember: npmRun }, 'me'),
      decisions.decide(first.id, { decision: 'allow', remember: npmRun }, 'you'),
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
    expect(await decisions.decide(first.id, { decision: 'allow', remember: npmRun }, 'me')).not.toHaveProperty(
      'alsoSettled',
    );
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
    const { alsoSettled } = await decisions.decide(first.id, { decision: 'allow', remember: anything }, 'me');
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

const ALLOW: DecisionRequest = { decision: 'allow' };

describe('a decision that can be undone', () => {
  it('holds a decision, announces it, and applies it when the window closes', async () => {
    decisions = startDecisions({ windowMs: 20 });
    const { id } = await ask('ls');
    expect(await decisions.decideUndoably(id, ALLOW, 'Desk')).toMatchObject({
      status: 'pending',
      held: { decision: 'allow', by: 'Desk', until: expect.any(Number) },
    });
    await expect.poll(() => world.approvals.get(id)).toMatchObject({ status: 'decided', decision: { by: 'Desk' } });
    expect(world.approvals.get(id)).not.toHaveProperty('held');
  });

  it('undoes a held decision, after which another one counts', async () => {
    const { id } = await ask('ls');
    await decisions.decideUndoably(id, ALLOW, 'Desk');
    expect(await decisions.undo(id, 'Phone')).not.toHaveProperty('held');
    expect(world.approvals.list({ status: 'pending', limit: 10 })).toHaveLength(1);
    await expect(decisions.undo(id, 'Phone')).rejects.toMatchObject({ code: 'approval.nothing_to_undo' });
    await decisions.decideUndoably(id, { decision: 'deny' }, 'Phone');
    await decisions.flush();
    expect(world.approvals.get(id)).toMatchObject({ status: 'decided', decision: { decision: 'deny', by: 'Phone' } });
    await expect(decisions.undo(id, 'Desk')).rejects.toMatchObject({ code: 'approval.already_decided' });
  });

  it('accepts only one held decision, but lets the terminal or a stop override it', async () => {
    const [first, second] = [await ask('ls'), await ask('pwd')];
    await decisions.decideUndoably(first.id, ALLOW, 'Desk');
    await expect(decisions.decideUndoably(first.id, { decision: 'deny' }, 'Phone')).rejects.toThrow('allow by Desk');
    await world.approvals.close(first.id, 'answered_in_terminal');
    await decisions.decideUndoably(second.id, ALLOW, 'Desk');
    await world.approvals.decide(second.id, { decision: 'deny' }, 'Stop');
    await decisions.flush();
    expect(world.approvals.get(first.id)).toMatchObject({ status: 'answered_in_terminal' });
    expect(world.approvals.get(second.id)).toMatchObject({ decision: { decision: 'deny', by: 'Stop' } });
  });

  it('refuses an invalid decision while the operator is still looking', async () => {
    const { id } = await ask('ls');
    await expect(decisions.decideUndoably(id, { ...ALLOW, interrupt: true }, 'Desk')).rejects.toMatchObject({
      code: 'approval.bad_decision',
    });
  });

  it('forgets held decisions when the daemon is killed, and shows them as pending', async () => {
    const { id } = await ask('ls');
    await decisions.decideUndoably(id, ALLOW, 'Desk');
    world.core.close();
    world = await startPermissions({ folder: world.folder });
    startDecisions();
    await expect.poll(() => world.approvals.get(id).held).toBe(undefined);
    expect(world.approvals.get(id).status).toBe('pending');
  });
});
