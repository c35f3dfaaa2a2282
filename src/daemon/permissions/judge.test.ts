import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RuleDecision } from '../../contract/rules.ts';
import { Approvals, type Ask } from '../approvals/approvals.ts';
import { Core } from '../core.ts';
import { loadBash } from '../rules/bash/grammar.ts';
import { Policies } from '../rules/policies.ts';
import { Rules } from '../rules/rules.ts';
import { Judge } from './judge.ts';
import type { PermissionCall } from './permission-call.ts';

const call: PermissionCall = {
  sessionId: 's',
  kind: 'permission',
  toolName: 'Bash',
  toolInput: { command: 'git push' },
  cwd: '/w/app',
};
const question = async (): Promise<Ask> => ({ origin: 'hook', correlationId: 'c', ...call });

let folder: string;
let core: Core;
let rules: Rules;
let policies: Policies;
let approvals: Approvals;
let judge: Judge;
let refusal: string | undefined;
let declined: string | undefined;
let asked: (string | undefined)[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gc-judge-'));
  refusal = undefined;
  declined = undefined;
  asked = [];
  const now = Date.now;
  core = new Core({ path: join(folder, 'journal.db'), now, log: pino({ level: 'silent' }) });
  rules = new Rules({ core, now });
  policies = new Policies(core);
  approvals = new Approvals({ core, now });
  judge = new Judge({
    core,
    rules,
    policies,
    approvals,
    refusal: () => refusal,
    io: { parseBash: await loadBash(), realPath: (path) => path },
    now,
    declines: () => declined,
    onAsked: (id) => asked.push(id),
    onError: (error) => {
      throw error;
    },
  });
});
afterEach(() => {
  core.close();
  rmSync(folder, { recursive: true, force: true });
});

const addRule = (decision: RuleDecision, command = 'git *') =>
  rules.create(
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
const precheck = (more: Partial<PermissionCall> = {}) => judge.precheck({ ...call, ...more }, { isWritten: true });
const judged = () => judge.judge(call, question, { isWritten: true, signal: new AbortController().signal });
const pending = () => [...approvals.pending()];

describe('the line that a call goes through', () => {
  it('begins with the stop, which outranks a rule that allows', async () => {
    await addRule('allow');
    refusal = 'Stopped';
    expect(await precheck()).toEqual({ decision: 'deny', by: 'stop', why: 'Stopped', endsTurn: true });
  });

  it.each(['allow', 'deny'] as const)('ends at a rule that says %s', async (decision) => {
    const { id } = await addRule(decision);
    expect(await judged()).toMatchObject({ decision, by: 'rule', rule: { id } });
    expect(pending()).toEqual([]);
  });

  it('goes on to the policy where no rule matches', async () => {
    await policies.set('/w', 'deny', 'tester');
    expect(await precheck()).toMatchObject({ decision: 'deny', by: 'policy' });
    await policies.set('/w', 'ask', 'tester');
    expect(await precheck()).toMatchObject({ decision: 'ask', by: 'policy' });
    await policies.set('/w', 'observe', 'tester');
    expect(await precheck()).toMatchObject({ decision: 'none', by: 'nobody' });
  });

  it('ends with the operator, who is told which rule wanted them asked', async () => {
    const { id: ruleId } = await addRule('ask');
    const verdict = judged();
    await expect.poll(pending).toMatchObject([{ ruleId, toolName: 'Bash' }]);
    const toolInput = { command: 'git push --dry-run' };
    await approvals.decide(pending()[0]!.id, { decision: 'allow', updatedInput: toolInput }, 'tester');
    expect(await verdict).toMatchObject({ decision: 'allow', by: 'operator', updatedInput: toolInput });
    expect(asked).toEqual([undefined]);
  });

  it('does not ask an operator who is not there, and puts that on the record', async () => {
    declined = 'Nobody is there.';
    expect(await judged()).toMatchObject({ decision: 'none', by: 'nobody' });
    expect([pending(), asked]).toEqual([[], []]);
    expect(approvals.list({ limit: 10 })).toMatchObject([{ status: 'released', closedWhy: 'Nobody is there.' }]);
  });

  it('lets no rule and no policy answer a question to the person, but a rule may refuse it', async () => {
    await policies.set('', 'deny', 'tester');
    const toQuestion = { kind: 'question', toolName: 'AskUserQuestion', toolInput: {} } as const;
    const about = { toolName: 'AskUserQuestion', parameters: {} };
    const { id, ...draft } = { ...(await addRule('allow')), pattern: about };
    const { version: _, createdAt: __, updatedAt: ___, ...rest } = draft;
    await rules.update(id, rest, 'tester');
    expect(await precheck(toQuestion)).toMatchObject({ decision: 'none', by: 'nobody' });
    await rules.update(id, { ...rest, decision: 'deny' }, 'tester');
    expect(await precheck(toQuestion)).toMatchObject({ decision: 'deny', by: 'rule' });
  });
});

describe('a call that is not in the journal', () => {
  const unwritten = () => judge.judge(call, question, { isWritten: false, signal: new AbortController().signal });

  it('is not allowed and nobody is asked, but a denial holds', async () => {
    await addRule('allow');
    expect(await unwritten()).toMatchObject({ decision: 'none' });
    await addRule('ask');
    expect(await unwritten()).toMatchObject({ decision: 'none' });
    await addRule('deny');
    expect(await unwritten()).toMatchObject({ decision: 'deny', by: 'rule' });
    expect(pending()).toEqual([]);
  });
});
