import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../../../test/kit/test-daemon.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon({ preferences: { settleMs: 50 } });
});
afterAll(() => daemon.dispose());

let n = 0;
const newSession = () => `asker-${++n}`;
const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command } });
const post = (path: string, body: object) => daemon.call('POST', path, { body });
const ask = (session_id: string, command: string, more: object = {}) =>
  post('/request-approval', { session_id, timeout: 20, ...bash(command), ...more });
const create = async (session_id: string, command: string, more: object = {}): Promise<string> =>
  (await post('/create-approval-request', { session_id, ...bash(command), ...more })).json.request_id;
const decision = async (id: string) => (await daemon.call('GET', `/approval-requests/${id}/decision?timeout=10`)).json;
const pendingOf = async (sessionId: string) =>
  (await daemon.call('GET', `/api/approvals?status=pending&sessionId=${sessionId}`)).json.approvals;
const addRule = async (draft: object) => (await post('/api/rules', { priority: 0, reason: '', ...draft })).json;

describe('a program that asks', () => {
  it('is decided by rules, and the record names the rule', async () => {
    const sessionId = newSession();
    const pattern = { toolName: 'Bash', parameters: { command: 'npm run *' } };
    const rule = await addRule({ scope: 'session', sessionId, pattern, decision: 'allow' });
    expect((await ask(sessionId, 'npm run build')).json).toEqual({
      decision: 'allow',
      request_id: expect.any(String),
    });
    await addRule({
      scope: 'session',
      sessionId,
      pattern: { toolName: 'Bash', parameters: { command: 'rm *' } },
      decision: 'deny',
      reason: 'Never here',
    });
    const denied = await create(sessionId, 'rm -rf build');
    expect(await decision(denied)).toMatchObject({ status: 'denied', decision: 'deny', reason: 'Never here' });
    expect(await pendingOf(sessionId)).toEqual([]);
    const { entries } = (await daemon.call('GET', `/api/audit?sessionId=${sessionId}&order=newest`)).json;
    expect(entries).toMatchObject([
      { action: 'approval.decided', by: 'rule', outcome: 'deny' },
      { action: 'approval.decided', by: 'rule', outcome: 'allow', ruleId: rule.id },
    ]);
  });

  it('asks the operator if a rule says ask, and names the rule', async () => {
    const sessionId = newSession();
    const pattern = { toolName: 'Bash', parameters: { command: 'git push*' } };
    const rule = await addRule({ scope: 'session', sessionId, pattern, decision: 'ask' });
    await create(sessionId, 'git push');
    expect(await pendingOf(sessionId)).toMatchObject([{ origin: 'api', ruleId: rule.id }]);
  });

  it('is governed by the policy of its project', async () => {
    const sessionId = newSession();
    await daemon.hook({ session_id: sessionId, hook_event_name: 'SessionStart', cwd: '/w/locked' });
    await daemon.call('PUT', '/api/policies', { body: { project: '/w/locked', policy: 'deny' } });
    expect((await ask(sessionId, 'ls')).json).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('policy'),
    });
    const elsewhere = newSession();
    expect((await ask(elsewhere, 'ls', { cwd: '/w/locked/sub' })).json.decision).toBe('deny');
  });

  it('is refused while its session is being stopped, and until it has a new prompt', async () => {
    const sessionId = newSession();
    await post('/events', { event_type: 'session_start', session_id: sessionId });
    await post('/events', { event_type: 'user', session_id: sessionId, content: 'Go' });
    const before = ask(sessionId, 'make');
    await expect.poll(() => pendingOf(sessionId)).toHaveLength(1);
    await post(`/sessions/${sessionId}/stop`, {});
    expect((await before).json).toMatchObject({ decision: 'deny', reason: expect.stringContaining('stopped') });
    const allow = { scope: 'session', sessionId, pattern: { toolName: '*' }, decision: 'allow' };
    await addRule(allow);
    expect((await ask(sessionId, 'make')).json.decision).toBe('deny');
    await post('/events', { event_type: 'session_stop', session_id: sessionId });
    await expect.poll(async () => (await daemon.session(sessionId)).stop?.state).toBe('stopped');
    expect((await ask(sessionId, 'make')).json.decision).toBe('deny');
    await post('/events', { event_type: 'user', session_id: sessionId, content: 'Go on' });
    expect((await ask(sessionId, 'make')).json.decision).toBe('allow');
  });

  it('puts its session under Needs You until it is answered', async () => {
    const sessionId = newSession();
    const id = await create(sessionId, 'make install');
    await expect
      .poll(async () => daemon.session(sessionId))
      .toMatchObject({
        attention: 'settled',
        agentState: { group: 'needs_you', state: 'needs_permission', label: 'Needs permission: Bash' },
      });
    // neither another question nor its own events hide it
    const second = await create(sessionId, 'make test');
    await post('/events', { event_type: 'user', session_id: sessionId, content: 'Go' });
    await post(`/approval-requests/${id}/decide`, { decision: 'allow' });
    expect((await daemon.session(sessionId)).agentState.state).toBe('needs_permission');
    await post(`/approval-requests/${second}/decide`, { decision: 'deny' });
    expect((await daemon.session(sessionId)).agentState).toMatchObject({ group: 'autonomous', state: 'thinking' });
  });

  it('shows as working after an allow, if nothing else reports it', async () => {
    const sessionId = newSession();
    const id = await create(sessionId, 'make install');
    await post(`/approval-requests/${id}/decide`, { decision: 'allow' });
    expect((await daemon.session(sessionId)).agentState).toMatchObject({ group: 'autonomous', state: 'acting' });
  });

  it('stays under Needs You after a restart, and gets its answer from the next daemon', async () => {
    const first = await startTestDaemon();
    const body = { session_id: 's', correlation_id: 'again', timeout: 300, ...bash('make') };
    await first.call('POST', '/approval-queue', { body });
    await first.stop();
    const second = await startTestDaemon({ folder: first.folder });
    expect((await second.session('s')).agentState).toMatchObject({ group: 'needs_you', state: 'needs_permission' });
    const answer = second.call('GET', '/response-queue/again?timeout=20');
    await second.call('POST', '/response-queue', { body: { correlation_id: 'again', decision: 'allow' } });
    expect((await answer).json.decision).toBe('allow');
    expect((await second.session('s')).agentState.group).toBe('autonomous');
    await second.dispose();
  });

  it('stops waiting once its session has ended', async () => {
    const sessionId = newSession();
    await post('/events', { event_type: 'session_start', session_id: sessionId });
    const answer = ask(sessionId, 'make');
    await expect.poll(() => pendingOf(sessionId)).toHaveLength(1);
    await post('/events', { event_type: 'session_stop', session_id: sessionId });
    expect((await answer).json).toMatchObject({ decision: 'deny', reason: 'cancelled' });
    expect(await daemon.session(sessionId)).toMatchObject({ status: 'done', agentState: { group: 'delivered' } });
  });
});

describe('a correlation id', () => {
  it('finds its request on every route, before and after the decision', async () => {
    const body = { session_id: newSession(), correlation_id: 'mine', ...bash('ls') };
    const { request_id } = (await post('/approval-queue', body)).json;
    expect((await daemon.call('GET', '/response-queue/mine?timeout=0')).status).toBe(202);
    const polling = daemon.call('GET', '/response-queue/mine?timeout=20');
    expect((await post('/response-queue', { correlation_id: 'mine', decision: 'deny', reason: 'no' })).json.ok).toBe(
      true,
    );
    const decided = { status: 'denied', decision: 'deny', reason: 'no', request_id, correlation_id: 'mine' };
    expect((await polling).json).toMatchObject(decided);
    expect((await daemon.call('GET', '/approval-requests/mine/decision')).json).toMatchObject(decided);
    expect((await post('/response-queue', { correlation_id: 'mine', decision: 'allow' })).status).toBe(400);
    expect((await post('/approval-requests/mine/decide', { decision: 'allow' })).status).toBe(400);
    expect((await post('/tool-decisions/mine/respond', { decision: 'allow' })).status).toBe(404);
    expect((await post('/approval-queue', { ...body, correlation_id: undefined })).status).toBe(400);
  });

  it("never applies one call's decision to another", async () => {
    const session_id = newSession();
    const id = await create(session_id, 'ls', { correlation_id: 'reused' });
    await post(`/approval-requests/${id}/decide`, { decision: 'allow' });
    const other = { session_id, correlation_id: 'reused', ...bash('rm -rf /') };
    expect(await post('/request-approval', other)).toMatchObject({
      status: 409,
      json: { error: { code: 'approval.correlation_reused' } },
    });
    expect((await ask(session_id, 'ls', { correlation_id: 'reused' })).json.decision).toBe('allow');
  });

  it('cannot pass for the id of another request', async () => {
    const victim = await create(newSession(), 'make deploy');
    await create(newSession(), 'rm -rf /', { correlation_id: victim });
    await post(`/tool-decisions/${victim}/respond`, { decision: 'allow' });
    expect((await daemon.call('GET', `/api/approvals/${victim}`)).json.toolInput).toEqual({ command: 'make deploy' });
    expect((await decision(victim)).status).toBe('approved');
    expect((await daemon.call('GET', '/api/approvals?status=pending')).json.approvals).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ correlationId: victim, status: 'pending' })]),
    );
  });

  it('may be decided only by an operator', async () => {
    await create(newSession(), 'ls', { correlation_id: 'guarded' });
    const headers = { 'x-groundcontrol-token': daemon.hookToken };
    const body = { correlation_id: 'guarded', decision: 'allow' };
    expect((await daemon.call('POST', '/response-queue', { token: false, headers, body })).status).toBe(401);
  });
});

describe('how long a program waits', () => {
  const asked = async (of: TestDaemon, more: object = {}) => {
    const body = { session_id: 's', ...bash('ls'), ...more };
    const { request_id } = (await of.call('POST', '/create-approval-request', { body })).json;
    return (await of.call('GET', `/api/approvals/${request_id}`)).json.timeoutSeconds;
  };

  it('is 30 seconds, or the setting, or the request’s own', async () => {
    const own = await startTestDaemon();
    expect((await own.call('GET', '/api/approval-timeout')).json).toEqual({ seconds: 30, from: 'default' });
    expect(await asked(own)).toBe(30);
    const set = await own.call('PUT', '/api/approval-timeout', { body: { seconds: 90 } });
    expect(set.json).toEqual({ seconds: 90, from: 'setting' });
    expect(await asked(own)).toBe(90);
    expect(await asked(own, { timeout: 5 })).toBe(5);
    expect((await own.call('PUT', '/api/approval-timeout', { body: { seconds: 0 } })).status).toBe(400);
    await own.dispose();
  });

  it('the environment variable overrides the setting', async () => {
    const env = { AGENT_ORCHESTRATOR_APPROVAL_TIMEOUT: '0.2' };
    const own = await startTestDaemon({ env, preferences: { approvalTimeoutSeconds: 90 } });
    expect((await own.call('GET', '/api/approval-timeout')).json).toEqual({ seconds: 0.2, from: 'environment' });
    const body = { session_id: 's', ...bash('ls') };
    expect((await own.call('POST', '/request-approval', { body })).json).toMatchObject({
      decision: 'deny',
      reason: 'timeout',
    });
    await own.dispose();
    const bad = await startTestDaemon({ env: { AGENT_ORCHESTRATOR_APPROVAL_TIMEOUT: 'soon' } });
    expect((await bad.call('GET', '/api/approval-timeout')).json.from).toBe('default');
    await bad.dispose();
  });
});
