import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RuleDecision, RuleDraft } from '../contract/rules.ts';
import { Approvals } from './approvals/approvals.ts';
import { Stops } from './control/stops.ts';
import { Core } from './core.ts';
import { type Intake, takeHook } from './drivers/terminal/intake/intake.ts';
import { readHook } from './drivers/terminal/intake/read-hook.ts';
import { answerPermissionHooks } from './drivers/terminal/permission/hook-permissions.ts';
import { refuseHooks } from './drivers/terminal/stop/refuse-hook.ts';
import { TerminalDriver } from './drivers/terminal/terminal-driver.ts';
import { Judge } from './permissions/judge.ts';
import { loadBash } from './rules/bash/grammar.ts';
import { Policies } from './rules/policies.ts';
import { Rules } from './rules/rules.ts';

let folder: string;
let core: Core;
let rules: Rules;
let policies: Policies;
let stops: Stops;
let intake: Intake;
let errors: unknown[];
let logged: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gc-full-'));
  errors = [];
  logged = [];
  const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line).msg) });
  const now = Date.now;
  const onError = (error: unknown) => void errors.push(error);
  core = new Core({ path: join(folder, 'journal.db'), now, log });
  rules = new Rules({ core, now });
  policies = new Policies(core);
  stops = new Stops({
    core,
    driver: new TerminalDriver({ live: core.live, configDir: folder }),
    now,
    onError,
    unheardMs: 50,
  });
  const io = { parseBash: await loadBash(), realPath: (path: string) => path };
  const approvals = new Approvals({ core, now });
  const refusal: Stops['refusal'] = (call) => stops.refusal(call);
  const onAsked = () => undefined;
  const declines = () => undefined;
  const judge = new Judge({ core, rules, policies, approvals, refusal, io, now, declines, onAsked, onError });
  const questionOf = () => Promise.reject(new Error('nobody is asked here'));
  const isHeadless = ({ entrypoint }: { entrypoint?: string | undefined }) => entrypoint === 'sdk-cli';
  const answer = answerPermissionHooks({
    judge,
    questionOf,
    isHeadless,
    onAnswer: () => undefined,
    onUnruled: () => undefined,
    onError,
  });
  intake = { record: core.record, responders: [answer, refuseHooks((call) => stops.refusal(call))] };
});
afterEach(async () => {
  await stops.close();
  core.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What SQLite does with a full disk: no new pages, and the rest of the last ones is soon used up. */
async function fillDisk(): Promise<void> {
  const { page_count: pages } = core.journal.db.prepare('PRAGMA page_count').get() as { page_count: number };
  core.journal.db.exec(`PRAGMA max_page_count = ${pages}`);
  const fits = () =>
    core.record({ sessionId: 's', source: 'hook', name: 'Notification', payload: {} }).then(
      () => true,
      () => false,
    );
  while (await fits());
}
const freeDisk = () => core.journal.db.exec('PRAGMA max_page_count = 1000000');

const hook = (hook_event_name: string, more: object = {}, entrypoint?: string) => {
  const payload = { session_id: 's', cwd: '/w/app', hook_event_name, ...more };
  return takeHook(readHook(Buffer.from(JSON.stringify(payload))), intake, { entrypoint, onHangUp: () => undefined });
};
const beforeTool = (command: string) => hook('PreToolUse', { tool_name: 'Bash', tool_input: { command } });
const add = (decision: RuleDecision, command: string) => {
  const pattern = { toolName: 'Bash', parameters: { command } };
  const draft: RuleDraft = { scope: 'global', priority: 0, enabled: true, pattern, decision, reason: '' };
  return rules.create(draft, 'Desk');
};

describe('when the journal cannot be written', () => {
  beforeEach(async () => {
    await add('deny', 'rm *');
    await add('ask', 'git push *');
    await add('allow', 'ls *');
    await hook('UserPromptSubmit', { prompt: 'Work' });
    await fillDisk();
  });

  it('applies rules that deny or ask, but none that allow', async () => {
    expect(await beforeTool('rm -rf /')).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
    expect(await beforeTool('git push origin')).toMatchObject({ hookSpecificOutput: { permissionDecision: 'ask' } });
    const denied = hook('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'rm x' } });
    expect(await denied).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'deny' } } });
    await expect(beforeTool('ls -l')).rejects.toThrow(/full/);
    await expect(hook('Stop')).rejects.toThrow(/full/);
  });

  it('denies a headless call under an ask rule', async () => {
    const push = { tool_name: 'Bash', tool_input: { command: 'git push origin' } };
    expect(await hook('PreToolUse', push, 'sdk-cli')).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'ask' },
    });
    freeDisk();
    // the hook fits, but the request can't be written: it fails here as it would then
    expect(await hook('PreToolUse', push, 'sdk-cli')).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'ask', permissionDecisionReason: expect.stringContaining('denied') },
    });
  });

  it("applies the project's policy", async () => {
    freeDisk();
    await policies.set('/w/app', 'deny', 'Desk');
    await fillDisk();
    expect(await beforeTool('make')).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
  });

  it('a stop still works', async () => {
    const { done } = await stops.stopSession('s', { by: 'Desk', kill: false });
    expect(await beforeTool('ls -l')).toMatchObject({
      continue: false,
      hookSpecificOutput: { permissionDecision: 'deny' },
    });
    expect(await done).toMatchObject({ state: 'stopped', receipt: { leftPids: [] } });
    expect(errors.length).toBeGreaterThan(0);
  });

  it('reports since when and how much is missing, until it can be written again', async () => {
    await beforeTool('rm a');
    await beforeTool('rm b');
    expect(core.journal.failure).toEqual({
      since: expect.any(Number),
      message: expect.stringContaining('full'),
      unwritten: 3,
    });
    freeDisk();
    await beforeTool('rm c');
    expect(core.journal.failure).toBeNull();
    expect(logged).toEqual([expect.stringContaining("the journal can't be written"), 'the journal is writable again']);
  });
});
