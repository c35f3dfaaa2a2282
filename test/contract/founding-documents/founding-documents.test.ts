import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../kit/test-daemon.ts';
import {
  type Backend,
  blockingHook,
  correlatingHook,
  http,
  messageLoop,
  openSocket,
  pollingHook,
  type Socket,
  sendEvent,
} from './programs.ts';

let daemon: TestDaemon;
let backend: Backend;
let page: Socket;
beforeAll(async () => {
  daemon = await startTestDaemon();
  backend = { url: daemon.url, token: daemon.localToken };
  page = await openSocket(backend);
});
afterAll(async () => {
  page.close();
  await daemon.dispose();
});

const build = { tool_name: 'Bash', tool_input: { command: 'npm run build' } };

async function startSession(name = 'a-session'): Promise<string> {
  const session_id = randomUUID();
  await sendEvent(backend, { event_type: 'session_start', session_id, session_name: name });
  return session_id;
}

/** What a page shows of a session when it opens. */
async function shown(sessionId: string) {
  const fresh = await openSocket(backend);
  const { sessions } = await fresh.next(({ type }) => type === 'init', 'init');
  fresh.close();
  return sessions.find((session: { session_id: string }) => session.session_id === sessionId);
}

const asked = (sessionId: string) =>
  page.next(
    ({ type, session_id, data }) => type === 'approval_request' && (session_id ?? data?.session_id) === sessionId,
    `approval_request of ${sessionId}`,
  );
const event = (sessionId: string, eventType: string) =>
  page.next(
    ({ type, data }) => type === 'event' && data.session_id === sessionId && data.event_type === eventType,
    `${eventType} of ${sessionId}`,
  );

describe('events and the page (document 0, 2 and 3)', () => {
  it('sends all sessions when a page connects', async () => {
    const session_id = await startSession('init-session');
    expect(await shown(session_id)).toMatchObject({ session_id, session_name: 'init-session', status: 'running' });
  });

  it('broadcasts each event with its original fields', async () => {
    const session_id = await startSession('talking');
    const timestamp = '2025-11-25T10:00:00.000Z';
    const content = [
      { type: 'text', text: 'I will build it.' },
      { type: 'text', text: 'Then test it.' },
    ];
    const sent = [
      { event_type: 'user', session_id, session_name: 'talking', timestamp, role: 'user', content: 'Build it' },
      { event_type: 'message', session_id, session_name: 'talking', timestamp, role: 'assistant', content },
      {
        event_type: 'post_tool',
        session_id,
        session_name: 'talking',
        timestamp,
        ...build,
        tool_output: 'built',
        error: null,
      },
      { event_type: 'session_stop', session_id, session_name: 'talking', timestamp, exit_code: 0, reason: 'done' },
    ];
    for (const one of sent) {
      expect((await sendEvent(backend, one)).status).toBe(200);
      expect((await event(session_id, one.event_type)).data).toMatchObject(one);
    }
    expect(await shown(session_id)).toMatchObject({ status: 'finished' });
  });

  it('tells the page about a deleted session', async () => {
    const session_id = await startSession();
    expect((await http(backend, 'DELETE', `/sessions/${session_id}`)).status).toBe(200);
    await page.next((message) => message.type === 'session_deleted' && message.session_id === session_id, 'deleted');
    expect(await shown(session_id)).toBeUndefined();
  });
});

describe('blocking approvals (document 1, 4 and 12.1)', () => {
  it('blocks the hook until the page allows', async () => {
    const session_id = await startSession();
    const answer = blockingHook(backend, { session_id, ...build });
    const request = await asked(session_id);
    expect(request).toMatchObject({ type: 'approval_request', session_id, ...build, timeout: 30 });
    expect(new Date(request.created_at).getTime()).toBeGreaterThan(Date.now() - 60_000);
    const responded = await http(backend, 'POST', `/tool-decisions/${request.request_id}/respond`, {
      decision: 'allow',
    });
    expect(responded).toEqual({ status: 200, json: { ok: true, message: 'Decision recorded' } });
    expect(await answer).toEqual({ status: 200, json: { decision: 'allow', request_id: request.request_id } });
  });

  it('tells the hook that the page denied', async () => {
    const session_id = await startSession();
    const answer = blockingHook(backend, { session_id, ...build });
    const { request_id } = await asked(session_id);
    await http(backend, 'POST', `/tool-decisions/${request_id}/respond`, { decision: 'deny' });
    expect((await answer).json).toEqual({ decision: 'deny', request_id, reason: 'User denied' });
  });

  it('refuses a second response, an unknown request and an invalid decision', async () => {
    const session_id = await startSession();
    const answer = blockingHook(backend, { session_id, ...build });
    const { request_id } = await asked(session_id);
    const respond = (id: string, decision: string) =>
      http(backend, 'POST', `/tool-decisions/${id}/respond`, { decision });
    expect((await respond(request_id, 'perhaps')).status).toBe(400);
    expect((await respond(request_id, 'allow')).status).toBe(200);
    expect((await respond(request_id, 'deny')).status).toBe(404);
    expect((await respond(randomUUID(), 'allow')).status).toBe(404);
    expect((await answer).json.decision).toBe('allow');
  });
});

describe('long-polling (document 1, 5)', () => {
  it('hands the decision to the hook that polls for it', async () => {
    const session_id = await startSession();
    const decision = pollingHook(backend, { session_id, ...build });
    const request = await asked(session_id);
    // document 1 shows the request both flat (4.2) and under data (5.2)
    expect(request.data).toMatchObject({ session_id, ...build, status: 'pending', decision: null, decided_at: null });
    const decide = (body: unknown) =>
      http(backend, 'POST', `/approval-requests/${request.data.request_id}/decide`, body);
    expect(await decide({ decision: 'allow' })).toEqual({
      status: 200,
      json: { ok: true, message: 'Decision recorded' },
    });
    expect(await decision).toBe('allow');
    expect((await decide({ decision: 'deny' })).status).toBe(400);
  });

  it('answers 202 while it is pending and 200 with the decision afterwards', async () => {
    const session_id = await startSession();
    const { request_id } = (await http(backend, 'POST', '/create-approval-request', { session_id, ...build })).json;
    const path = `/approval-requests/${request_id}/decision?timeout=0.2`;
    expect(await http(backend, 'GET', path)).toEqual({
      status: 202,
      json: { status: 'pending', message: 'No decision yet' },
    });
    await http(backend, 'POST', `/approval-requests/${request_id}/decide`, { decision: 'deny' });
    const decided = await http(backend, 'GET', path);
    expect(decided.status).toBe(200);
    expect(decided.json).toMatchObject({ status: 'denied', decision: 'deny' });
    expect(Number.isNaN(Date.parse(decided.json.decided_at))).toBe(false);
    expect((await http(backend, 'GET', `/approval-requests/${randomUUID()}/decision`)).status).toBe(404);
    expect((await http(backend, 'POST', `/approval-requests/${randomUUID()}/decide`, {})).status).toBe(404);
  });
});

describe('correlation ids (document 1, 6)', () => {
  it('matches request and response by the id that the hook made up', async () => {
    const session_id = await startSession();
    const correlationId = randomUUID();
    const decision = correlatingHook(backend, { session_id, ...build }, { correlationId });
    const request = await asked(session_id);
    expect(request.correlation_id ?? request.data.correlation_id).toBe(correlationId);
    const response = { correlation_id: correlationId, decision: 'allow' };
    expect((await http(backend, 'POST', '/response-queue', response)).json.ok).toBe(true);
    expect(await decision).toBe('allow');
  });

  it('finds the same request by either id on every approval route', async () => {
    const session_id = await startSession();
    const correlation_id = randomUUID();
    await http(backend, 'POST', '/approval-queue', { correlation_id, session_id, ...build });
    const poll = `/approval-requests/${correlation_id}/decision?timeout=0.1`;
    expect((await http(backend, 'GET', poll)).status).toBe(202);
    expect((await http(backend, 'GET', `/response-queue/${correlation_id}`)).status).toBe(202);
    await http(backend, 'POST', `/tool-decisions/${correlation_id}/respond`, { decision: 'deny' });
    expect((await http(backend, 'GET', poll)).json).toMatchObject({ status: 'denied', decision: 'deny' });
    expect((await http(backend, 'GET', `/response-queue/${correlation_id}`)).json.decision).toBe('deny');
  });

  it('does not ask twice when the same correlation id is queued twice', async () => {
    const session_id = await startSession();
    const correlation_id = randomUUID();
    const body = { correlation_id, session_id, ...build };
    const first = await http(backend, 'POST', '/approval-queue', body);
    const second = await http(backend, 'POST', '/approval-queue', body);
    expect(second.json).toEqual(first.json);
    expect((await http(backend, 'GET', `/response-queue/${randomUUID()}`)).status).toBe(404);
  });
});

describe('stop (document 0, 4 and document 1, 4.2)', () => {
  it.each(['stop', 'request-stop'])('stops a running session by /%s', async (route) => {
    const session_id = await startSession();
    const loop = messageLoop(backend, session_id);
    const stop = () => http(backend, 'POST', `/sessions/${session_id}/${route}`);
    const requested = { status: 200, json: { ok: true, message: 'Stop requested' } };
    expect(await stop()).toEqual(requested);
    await page.next((message) => message.type === 'session_stopping' && message.session_id === session_id, 'stopping');
    expect(await stop()).toEqual(requested);
    await loop;
    expect((await event(session_id, 'session_stop')).data).toMatchObject({ exit_code: 130, reason: 'stopped_by_user' });
    await expect.poll(async () => (await shown(session_id)).status).toBe('stopped');
  });

  it('denies what the session is waiting for, and what it asks afterwards', async () => {
    const session_id = await startSession();
    const before = blockingHook(backend, { session_id, ...build });
    await asked(session_id);
    await http(backend, 'POST', `/sessions/${session_id}/stop`);
    expect((await before).json.decision).toBe('deny');
    expect((await blockingHook(backend, { session_id, ...build })).json.decision).toBe('deny');
    expect((await http(backend, 'GET', `/check-stop/${session_id}`)).json).toEqual({ stop_requested: true });
  });

  it('leaves a finished session unchanged', async () => {
    const session_id = await startSession();
    await sendEvent(backend, { event_type: 'session_stop', session_id, exit_code: 0, reason: 'done' });
    const { status, json } = await http(backend, 'POST', `/sessions/${session_id}/stop`);
    expect(status).toBeLessThan(500);
    expect(json.message).not.toBe('Stop requested');
    expect((await http(backend, 'GET', `/check-stop/${session_id}`)).json).toEqual({ stop_requested: false });
    expect(await shown(session_id)).toMatchObject({ status: 'finished' });
    expect(
      page.messages.some((message) => message.type === 'session_stopping' && message.session_id === session_id),
    ).toBe(false);
  });

  it('returns 404 for a session that never existed', async () => {
    expect((await http(backend, 'POST', `/sessions/${randomUUID()}/stop`)).status).toBe(404);
    expect((await http(backend, 'POST', `/sessions/${randomUUID()}/request-stop`)).status).toBe(404);
    expect((await http(backend, 'GET', `/check-stop/${randomUUID()}`)).json).toEqual({ stop_requested: false });
  });
});

describe('rules (document 0, 5.3, 6.5, 7.2 and 8.3)', () => {
  const npmScripts = {
    pattern: { tool_name: 'Bash', parameters: { command: 'npm run *' } },
    decision: 'allow',
    reason: 'Allow npm scripts',
  };
  const createRule = async (sessionId: string, rule: object) =>
    (await http(backend, 'POST', `/sessions/${sessionId}/rules`, rule)).json;
  const ask = async (session_id: string, tool_name: string, tool_input: Record<string, unknown>) =>
    (await blockingHook(backend, { session_id, tool_name, tool_input })).json;

  it('answers the hook by a rule, without asking the page', async () => {
    const session_id = await startSession();
    const rule = await createRule(session_id, npmScripts);
    expect(rule).toMatchObject({ ...npmScripts, session_id, enabled: true });
    expect((await http(backend, 'GET', `/sessions/${session_id}/rules`)).json.rules).toContainEqual(rule);
    expect(await ask(session_id, 'Bash', { command: 'npm run build' })).toMatchObject({ decision: 'allow' });
    expect(
      page.messages.some((message) => message.type === 'approval_request' && message.session_id === session_id),
    ).toBe(false);
  });

  it('matches names and parameters exactly, by wildcard and by alternatives', async () => {
    const session_id = await startSession();
    await createRule(session_id, {
      pattern: { tool_name: 'Read|Glob', parameters: {} },
      decision: 'allow',
      reason: 'Look around',
    });
    await createRule(session_id, {
      pattern: { tool_name: 'Write', parameters: { file_path: '*.md|*.txt' } },
      decision: 'allow',
      reason: 'Notes',
    });
    await createRule(session_id, { pattern: { tool_name: 'Web*' }, decision: 'deny', reason: 'Stay offline' });
    expect(await ask(session_id, 'Read', { file_path: '/a' })).toMatchObject({ decision: 'allow' });
    expect(await ask(session_id, 'Glob', { pattern: '*' })).toMatchObject({ decision: 'allow' });
    expect(await ask(session_id, 'Write', { file_path: '/w/a.txt', content: '' })).toMatchObject({ decision: 'allow' });
    expect(await ask(session_id, 'WebFetch', { url: 'https://example.com' })).toMatchObject({
      decision: 'deny',
      reason: 'Stay offline',
    });
  });

  it('asks the page if a rule says ask', async () => {
    const session_id = await startSession();
    await createRule(session_id, { pattern: { tool_name: 'Bash' }, decision: 'ask', reason: 'Shells are asked' });
    const answer = ask(session_id, 'Bash', { command: 'ls' });
    const { request_id } = await asked(session_id);
    await http(backend, 'POST', `/tool-decisions/${request_id}/respond`, { decision: 'allow' });
    expect(await answer).toMatchObject({ decision: 'allow' });
  });

  it('applies the rule with the lower priority first', async () => {
    const session_id = await startSession();
    const second = await createRule(session_id, { ...npmScripts, priority: 2, reason: 'second' });
    const first = await createRule(session_id, { ...npmScripts, priority: 1, reason: 'first' });
    expect([second.priority, first.priority]).toEqual([2, 1]);
    const { rules } = (await http(backend, 'GET', `/sessions/${session_id}/rules`)).json;
    expect(rules.map(({ reason }: { reason: string }) => reason)).toEqual(['first', 'second']);
    await ask(session_id, 'Bash', { command: 'npm run build' });
    expect((await event(session_id, 'pre_tool')).data).toMatchObject({ status: 'approved', rule_id: first.id });
  });

  it('changes and deletes rules, and tells the page', async () => {
    const session_id = await startSession();
    const rule = await createRule(session_id, npmScripts);
    const update = { ...npmScripts, decision: 'deny', reason: 'Not any more' };
    const updated = (await http(backend, 'PUT', `/rules/${rule.id}`, update)).json;
    expect(updated).toMatchObject({ id: rule.id, session_id, decision: 'deny' });
    await page.next((message) => message.rule?.id === rule.id && message.rule.decision === 'deny', 'the changed rule');
    expect(await ask(session_id, 'Bash', { command: 'npm run build' })).toMatchObject({
      decision: 'deny',
      reason: 'Not any more',
    });
    expect((await http(backend, 'DELETE', `/rules/${rule.id}`)).status).toBe(200);
    expect((await http(backend, 'GET', `/sessions/${session_id}/rules`)).json).toEqual({ rules: [] });
    expect((await http(backend, 'PUT', `/rules/${rule.id}`, npmScripts)).status).toBe(404);
  });

  it('refuses an invalid rule, and names the field', async () => {
    const session_id = await startSession();
    const parameters = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`p${i}`, '*']));
    const bad: [string, object][] = [
      ['tool_name', { ...npmScripts, pattern: { tool_name: 'x'.repeat(201), parameters: {} } }],
      ['decision', { ...npmScripts, decision: 'perhaps' }],
      ['parameters', { ...npmScripts, pattern: { tool_name: 'Bash', parameters } }],
    ];
    for (const [field, rule] of bad) {
      const { status, json } = await http(backend, 'POST', `/sessions/${session_id}/rules`, rule);
      expect(status).toBe(400);
      expect(JSON.stringify(json)).toContain(field);
    }
  });
});

describe('the review queue (document 0, 5.3 and 6.5)', () => {
  const report = async (session_id: string, command = 'some-unknown-command') => {
    const review = {
      event_type: 'tool_pending_review',
      session_id,
      tool_use_id: randomUUID(),
      timestamp: '2025-11-25T10:00:00.000Z',
      tool_name: 'Bash',
      tool_input: { command },
      status: 'pending',
      user_decision: null,
      decision_timestamp: null,
    };
    expect((await sendEvent(backend, review)).status).toBe(200);
    return review;
  };
  const pending = async (sessionId: string) =>
    (await http(backend, 'GET', `/sessions/${sessionId}/pending-reviews`)).json.pending;

  it('shows the page a call that no rule matched', async () => {
    const session_id = await startSession();
    const review = await report(session_id);
    expect((await event(session_id, 'tool_pending_review')).data).toMatchObject(review);
    const { event_type, user_decision, decision_timestamp, ...listed } = review;
    expect(await pending(session_id)).toMatchObject([listed]);
  });

  it('makes the rule for next time when it is approved with one', async () => {
    const session_id = await startSession();
    const { tool_use_id } = await report(session_id);
    const approved = await http(backend, 'POST', `/tool-decisions/${tool_use_id}/approve`, {
      create_rule: true,
      rule: {
        pattern: { tool_name: 'Bash', parameters: { command: 'some-unknown-command' } },
        decision: 'allow',
        reason: 'Known now',
      },
    });
    expect(approved.status).toBe(200);
    expect(approved.json.ok).toBe(true);
    expect(await pending(session_id)).toEqual([]);
    const tool_input = { command: 'some-unknown-command' };
    const next = await blockingHook(backend, { session_id, tool_name: 'Bash', tool_input });
    expect(next.json.decision).toBe('allow');
    const { rules } = (await http(backend, 'GET', `/sessions/${session_id}/rules`)).json;
    expect(rules).toMatchObject([{ session_id, reason: 'Known now' }]);
  });

  it('denies a review', async () => {
    const session_id = await startSession();
    const { tool_use_id } = await report(session_id);
    expect((await http(backend, 'POST', `/tool-decisions/${tool_use_id}/deny`, {})).json.ok).toBe(true);
    expect(await pending(session_id)).toEqual([]);
    expect((await http(backend, 'POST', `/tool-decisions/${randomUUID()}/deny`, {})).status).toBe(404);
  });
});
