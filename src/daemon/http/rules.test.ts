import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../../test/kit/test-daemon.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

const npmRun = {
  pattern: { toolName: 'Bash', parameters: { command: 'npm run *' } },
  decision: 'allow',
  reason: 'Scripts are fine',
};
const add = async (rule: object) => (await daemon.call('POST', '/api/rules', { body: rule })).json;
const clear = async () => {
  for (const { id } of (await daemon.call('GET', '/api/rules')).json.rules)
    await daemon.call('DELETE', `/api/rules/${id}`);
};
const judge = async (command: string, rules?: object[]) =>
  (
    await daemon.call('POST', '/api/rules/test', {
      body: { toolName: 'Bash', toolInput: { command }, cwd: '/w/app', ...(rules ? { rules } : {}) },
    })
  ).json;

let n = 0;
const hookOf = (hook_event_name: string, command: string, more: object = {}) => ({
  session_id: 'ruled',
  cwd: '/w/app',
  hook_event_name,
  tool_name: 'Bash',
  tool_input: { command },
  ...more,
});
const askBeforeTool = async (command: string) =>
  (await daemon.hook(hookOf('PreToolUse', command, { tool_use_id: `t${++n}` }))).json;

describe('/api/rules', () => {
  it('creates, changes, removes and restores a rule, and keeps every version', async () => {
    const rule = await add(npmRun);
    expect(rule).toMatchObject({ version: 1, enabled: true, scope: 'global', priority: 0 });
    expect(
      (await daemon.call('PUT', `/api/rules/${rule.id}`, { body: { ...npmRun, decision: 'ask' } })).json,
    ).toMatchObject({ version: 2, decision: 'ask' });
    expect((await daemon.call('DELETE', `/api/rules/${rule.id}`)).status).toBe(204);
    expect((await daemon.call('GET', `/api/rules/${rule.id}`)).status).toBe(404);
    expect((await daemon.call('POST', `/api/rules/${rule.id}/restore`, { body: { version: 1 } })).json).toMatchObject({
      version: 4,
      decision: 'allow',
    });
    const { versions } = (await daemon.call('GET', `/api/rules/${rule.id}/versions`)).json;
    expect(versions.map(({ version, action }: { version: number; action: string }) => [version, action])).toEqual([
      [4, 'restored'],
      [3, 'deleted'],
      [2, 'updated'],
      [1, 'created'],
    ]);
    expect(
      (await daemon.call('GET', '/api/audit?action=rule.')).json.entries.map(
        ({ action }: { action: string }) => action,
      ),
    ).toEqual(['rule.created', 'rule.updated', 'rule.deleted', 'rule.restored']);
    await clear();
  });

  it('shows what would be decided and why, including by unsaved rules', async () => {
    expect(await judge('npm run build', [npmRun])).toMatchObject({
      decision: 'allow',
      why: expect.stringContaining('npm run build'),
    });
    expect((await judge('npm run build && rm -rf /', [npmRun])).decision).not.toBe('allow');
    expect((await judge('npm run $(cat x)', [npmRun])).decision).toBe('ask');
    expect((await judge('ls')).decision).toBe('none');
  });

  it('refuses an invalid rule and names the field', async () => {
    for (const body of [
      {},
      { ...npmRun, decision: 'perhaps' },
      { ...npmRun, scope: 'project' },
      { ...npmRun, pattern: { toolName: '', parameters: {} } },
    ]) {
      expect((await daemon.call('POST', '/api/rules', { body })).status).toBe(400);
    }
    expect((await daemon.call('PUT', '/api/rules/none', { body: npmRun })).status).toBe(404);
  });

  it('are exported and imported, all or none', async () => {
    await add(npmRun);
    const exported = (await daemon.call('GET', '/api/rules/export')).json;
    await clear();
    expect((await daemon.call('POST', '/api/rules/import', { body: exported })).json.rules).toHaveLength(1);
    const bad = { rules: [npmRun, { ...npmRun, decision: 'x' }] };
    expect((await daemon.call('POST', '/api/rules/import', { body: bad })).status).toBe(400);
    expect((await daemon.call('GET', '/api/rules')).json.rules).toHaveLength(1);
    await clear();
  });

  it('the templates work', async () => {
    const { templates } = (await daemon.call('GET', '/api/rules/templates')).json;
    expect(templates.length).toBeGreaterThanOrEqual(4);
    for (const { rules } of templates)
      expect((await daemon.call('POST', '/api/rules/import', { body: { rules } })).status).toBe(201);
    expect((await judge('git status')).decision).toBe('allow');
    expect((await judge('git push --force origin main')).decision).toBe('deny');
    expect(
      (
        await daemon.call('POST', '/api/rules/test', {
          body: { toolName: 'Read', toolInput: { file_path: '/w/app/.env' }, cwd: '/w/app' },
        })
      ).json.decision,
    ).toBe('deny');
    await clear();
  });
});

describe('rules decide first', () => {
  it('before a tool runs, and again at its permission request', async () => {
    await add(npmRun);
    await add({
      pattern: { toolName: 'Bash', parameters: { command: 'rm *' } },
      decision: 'deny',
      reason: 'Nothing is removed here',
    });
    await add({ pattern: { toolName: 'Bash', parameters: { command: 'git push *' } }, decision: 'ask' });
    expect((await askBeforeTool('npm run build')).hookSpecificOutput).toMatchObject({ permissionDecision: 'allow' });
    expect((await askBeforeTool('rm -rf dist')).hookSpecificOutput).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: 'Nothing is removed here',
    });
    expect((await askBeforeTool('git push origin')).hookSpecificOutput).toMatchObject({ permissionDecision: 'ask' });
    expect(await askBeforeTool('ls')).toEqual({});
    expect((await daemon.hook(hookOf('PermissionRequest', 'npm run test'))).json.hookSpecificOutput.decision).toEqual({
      behavior: 'allow',
    });
    expect((await daemon.hook(hookOf('PermissionRequest', 'rm x'))).json.hookSpecificOutput.decision).toMatchObject({
      behavior: 'deny',
    });
    const applied = (await daemon.call('GET', '/api/audit?action=rule.applied')).json.entries;
    expect(applied.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['allow', 'deny', 'allow', 'deny']);
    await clear();
  });

  it('follow the project’s policy if there is none', async () => {
    await daemon.call('PUT', '/api/policies', { body: { project: '/w/app', policy: 'deny' } });
    expect((await askBeforeTool('ls')).hookSpecificOutput).toMatchObject({ permissionDecision: 'deny' });
    await daemon.call('PUT', '/api/policies', { body: { project: '/w/app', policy: 'ask' } });
    expect((await askBeforeTool('ls')).hookSpecificOutput).toMatchObject({ permissionDecision: 'ask' });
    await daemon.call('PUT', '/api/policies', { body: { project: '/w/app', policy: 'observe' } });
    expect(await askBeforeTool('ls')).toEqual({});
  });

  it('of the project where a session started follow it to another', async () => {
    const session_id = 'mover';
    const at = async (cwd: string, command: string) =>
      (await daemon.hook({ ...hookOf('PreToolUse', command), session_id, cwd })).json.hookSpecificOutput
        ?.permissionDecision;
    const project = { scope: 'project', project: '/w/home' };
    const about = (command: string) => ({ pattern: { toolName: 'Bash', parameters: { command } } });
    await add({ ...about('rm *'), ...project, decision: 'deny' });
    await add({ ...about('make *'), ...project, decision: 'allow' });
    await daemon.call('PUT', '/api/policies', { body: { project: '/w/home', policy: 'ask' } });
    expect(await at('/w/home/src', 'make all')).toBe('allow');
    await daemon.hook({ session_id, hook_event_name: 'CwdChanged', cwd: '/w/home/src', new_cwd: '/w/away' });
    expect(await at('/w/away', 'rm x')).toBe('deny');
    expect(await at('/w/away', 'make all')).toBe('ask');
    await daemon.call('PUT', '/api/policies', { body: { project: '/w/home', policy: 'observe' } });
    expect(await at('/w/away', 'make all')).toBeUndefined();
    await clear();
  });

  it('are remembered from a decision, and suggested from many', async () => {
    const approve = async (command: string, remember?: object) => {
      const { request_id } = (
        await daemon.call('POST', '/create-approval-request', {
          body: { session_id: 'ruled', tool_name: 'Bash', tool_input: { command } },
        })
      ).json;
      return daemon.call('POST', `/api/approvals/${request_id}/decision`, {
        body: { decision: 'allow', ...(remember ? { remember } : {}) },
      });
    };
    for (const command of [
      'npm run a',
      'npm run b',
      'npm run c',
      'bash -c x',
      'bash -c y',
      'bash -c z',
      'git',
      'git',
      'git',
    ])
      await approve(command);
    const { suggestions } = (await daemon.call('GET', '/api/rules/suggestions')).json;
    expect(suggestions).toMatchObject([{ shape: 'npm run *', approvals: 3, draft: { decision: 'allow' } }]);
    expect((await approve('npm run d', { ...npmRun, decision: 'x' })).status).toBe(400);
    expect((await approve('npm run d', npmRun)).status).toBe(200);
    expect((await judge('npm run e')).decision).toBe('allow');
    await clear();
  });
});

describe('the review queue', () => {
  const run = async (command: string, session_id = 'reviewed') => {
    const call = { session_id, cwd: '/w/app', tool_name: 'Bash', tool_input: { command }, tool_use_id: `r${++n}` };
    await daemon.hook({ ...call, hook_event_name: 'PreToolUse' });
    await daemon.hook({ ...call, hook_event_name: 'PostToolUse', tool_response: {} });
    return call.tool_use_id;
  };
  const groups = async () => (await daemon.call('GET', '/api/reviews')).json.groups;

  it('collects what ran without a rule, by shape, for review in batches', async () => {
    for (const script of ['a', 'b', 'c']) await run(`npm run ${script}`);
    await run('make all', 'other');
    expect(await groups()).toMatchObject([
      { toolName: 'Bash', shape: 'npm run *', count: 3, sessions: 1 },
      { shape: 'make all', count: 1 },
    ]);
    const { json } = await daemon.call('POST', '/api/reviews/decide', {
      body: { toolName: 'Bash', shape: 'npm run *', action: 'deny' },
    });
    expect(json).toMatchObject({
      decided: 3,
      rule: { decision: 'deny', pattern: { parameters: { command: 'npm run *' } } },
    });
    expect((await askBeforeTool('npm run d')).hookSpecificOutput.permissionDecision).toBe('deny');
    await daemon.call('POST', '/api/reviews/decide', {
      body: { toolName: 'Bash', shape: 'make all', action: 'dismiss' },
    });
    expect(await groups()).toEqual([]);
    await clear();
  });

  it('leaves out calls that the operator was asked about', async () => {
    const call = {
      session_id: 'asked',
      cwd: '/w/app',
      tool_name: 'Bash',
      tool_input: { command: 'make it' },
      tool_use_id: 'asked-1',
    };
    await daemon.hook({ ...call, hook_event_name: 'PreToolUse' });
    const { tool_use_id: _, ...request } = call;
    const held = daemon.hook({ ...request, hook_event_name: 'PermissionRequest' });
    await expect
      .poll(
        async () => (await daemon.call('GET', '/api/approvals?status=pending&sessionId=asked')).json.approvals.length,
      )
      .toBe(1);
    await daemon.hook({ ...call, hook_event_name: 'PostToolUse', tool_response: {} });
    await held;
    expect(await groups()).toEqual([]);
  });
});

it('tries an unsaved rule on past calls', async () => {
  await clear();
  for (const command of ['npm run build', 'npm run lint', 'rm -rf /']) await askBeforeTool(command);
  const { json } = await daemon.call('POST', '/api/rules/rehearse', { body: { rule: npmRun, limit: 3 } });
  expect(json).toMatchObject({ looked: 3, matched: 2 });
  expect(
    json.calls.map((call: { toolInput: { command: string }; matches: boolean }) => [
      call.toolInput.command,
      call.matches,
    ]),
  ).toEqual([
    ['npm run lint', true],
    ['npm run build', true],
    ['rm -rf /', false],
  ]);
  const bad = { ...npmRun, pattern: { toolName: 'Bash', parameters: { command: '' } } };
  expect((await daemon.call('POST', '/api/rules/rehearse', { body: { rule: bad } })).status).toBe(400);
});
