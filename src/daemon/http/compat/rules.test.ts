import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startTestDaemon, type TestDaemon } from '../../../../test/kit/test-daemon.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

let n = 0;
const newSession = () => `compat-${++n}`;
const post = (path: string, body: object = {}) => daemon.call('POST', path, { body });
const get = async (path: string) => (await daemon.call('GET', path)).json;
const cargo = {
  pattern: { tool_name: 'Bash', parameters: { command: 'cargo build' } },
  decision: 'allow',
  reason: 'ok',
};
const rulesOf = async (sessionId: string): Promise<{ id: string; reason: string }[]> =>
  (await get(`/sessions/${sessionId}/rules`)).rules;

/** A call that no rule covers and that the client ran. */
async function run(session_id: string, command: string, more: object = {}): Promise<string> {
  const tool_use_id = `toolu-${++n}`;
  const call = { session_id, cwd: '/w/app', tool_name: 'Bash', tool_input: { command }, tool_use_id, ...more };
  await daemon.hook({ ...call, hook_event_name: 'PreToolUse' });
  await daemon.hook({ ...call, hook_event_name: 'PostToolUse', tool_response: {} });
  return tool_use_id;
}

async function openSocket(token = daemon.localToken) {
  const socket = new WebSocket(`ws://127.0.0.1:${daemon.port}/ws`, {
    headers: { authorization: `Bearer ${token}` },
  });
  // biome-ignore lint/suspicious/noExplicitAny: messages of every shape
  const messages: any[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  await expect.poll(() => messages.length).toBeGreaterThan(0);
  return { messages, close: () => socket.close() };
}

describe('rules of the founding documents', () => {
  it('keep scope, expiry and omitted fields when they are changed', async () => {
    const expiresAt = Date.now() + 3_600_000;
    const draft = {
      scope: 'project',
      project: '/w/app',
      priority: 7,
      pattern: { toolName: 'Bash', parameters: { command: 'make *' } },
      decision: 'allow',
      reason: 'first',
      expiresAt,
    };
    const { id } = (await post('/api/rules', draft)).json;
    const changed = await daemon.call('PUT', `/rules/${id}`, { body: { decision: 'deny', reason: 'second' } });
    expect(changed.json).toMatchObject({ scope: 'project', project: '/w/app', session_id: null, priority: -7 });
    expect(await get(`/api/rules/${id}`)).toMatchObject({
      ...draft,
      decision: 'deny',
      reason: 'second',
      version: 2,
    });
    await daemon.call('PUT', `/rules/${id}`, { body: { expires_at: null } });
    expect(await get(`/api/rules/${id}`)).not.toHaveProperty('expiresAt');
    expect((await daemon.call('PUT', '/rules/none', { body: cargo })).status).toBe(404);
    await daemon.call('DELETE', `/rules/${id}`);
  });

  it('list the project and global rules that apply to the session, lower priority first', async () => {
    const sessionId = newSession();
    await daemon.hook({ session_id: sessionId, hook_event_name: 'SessionStart', cwd: '/w/listed/sub' });
    const add = (draft: object) => post('/api/rules', { pattern: { toolName: 'Bash' }, decision: 'ask', ...draft });
    await add({ scope: 'project', project: '/w/listed', reason: 'project', priority: -5 });
    await add({ scope: 'project', project: '/w/elsewhere', reason: 'elsewhere' });
    const { json: everywhere } = await add({ scope: 'global', reason: 'everywhere' });
    await add({ scope: 'session', sessionId: 'other', reason: 'other' });
    await add({ scope: 'global', reason: 'expired', expiresAt: 1 });
    await post(`/sessions/${sessionId}/rules`, { ...cargo, reason: 'own', priority: -9 });
    expect((await rulesOf(sessionId)).map(({ reason }) => reason)).toEqual(['own', 'everywhere', 'project']);
    await daemon.call('DELETE', `/rules/${everywhere.id}`);
  });

  it('are refused with the field that is wrong', async () => {
    const sessionId = newSession();
    const pattern = (tool_name: string, parameters: object = {}) => ({ ...cargo, pattern: { tool_name, parameters } });
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`p${i}`, '*']));
    const bad: [string, object][] = [
      ['pattern.tool_name', pattern('')],
      ['pattern.tool_name', pattern('x'.repeat(201))],
      ['pattern.parameters', pattern('Bash', many)],
      ['pattern.parameters.command', pattern('Bash', { command: '' })],
      ['priority', { ...cargo, priority: 5000 }],
      ['decision', { ...cargo, decision: 'perhaps' }],
      ['reason', { ...cargo, reason: 'x'.repeat(501) }],
      ['expires_at', { ...cargo, expires_at: 'soon' }],
    ];
    for (const [field, body] of bad) {
      const { status, json } = await post(`/sessions/${sessionId}/rules`, body);
      expect([field, status]).toEqual([field, 400]);
      expect(json.error.problems.map(({ path }: { path: string }) => path.slice(1).replaceAll('/', '.'))).toContain(
        field,
      );
    }
    expect((await post(`/sessions/${sessionId}/rules`, pattern('Write', { file_path: '../x' }))).status).toBe(400);
    expect(await rulesOf(sessionId)).toEqual([]);
  });

  it('are announced on /ws with the rule', async () => {
    const { messages, close } = await openSocket();
    const sessionId = newSession();
    const { json: rule } = await post(`/sessions/${sessionId}/rules`, cargo);
    await daemon.call('PUT', `/rules/${rule.id}`, { body: { enabled: false } });
    await daemon.call('DELETE', `/rules/${rule.id}`);
    const told = () =>
      messages
        .filter((message) => message.type === 'rule_updated')
        .map(({ action, rule: { id, enabled } }) => ({ action, id, enabled }));
    await expect.poll(told).toEqual([
      { action: 'created', id: rule.id, enabled: true },
      { action: 'updated', id: rule.id, enabled: false },
      { action: 'deleted', id: rule.id, enabled: false },
    ]);
    expect(messages.filter(({ type, data }) => type === 'event' && data.session_id === '')).toEqual([]);
    close();
  });
});

describe('reviews of the founding documents', () => {
  it('are announced on /ws, counted live, and listed with their decisions', async () => {
    const { messages, close } = await openSocket();
    const sessionId = newSession();
    const id = await run(sessionId, 'cargo build');
    const review = {
      tool_use_id: id,
      session_id: sessionId,
      tool_name: 'Bash',
      tool_input: { command: 'cargo build' },
      status: 'pending',
      rule_id: null,
      user_decision: null,
      decision_timestamp: null,
      decision_notes: null,
    };
    const told = () =>
      messages.filter(({ data }) => data?.event_type === 'tool_pending_review').map(({ data }) => data);
    await expect.poll(told).toMatchObject([review]);
    expect((await get(`/sessions/${sessionId}/pending-reviews`)).pending).toMatchObject([review]);
    const { pending } = await get('/api/reviews/count');
    const notes = { decision_notes: 'It only builds' };
    const approved = (await post(`/tool-decisions/${id}/approve`, notes)).json;
    expect(approved).toMatchObject({ ok: true, rule: null, message: expect.stringContaining('No rule was created') });
    expect(await get('/api/reviews/count')).toEqual({ pending: pending - 1 });
    expect((await get(`/sessions/${sessionId}/tool-decisions`)).tool_decisions).toEqual([
      {
        ...review,
        kind: 'review',
        id,
        status: 'approved',
        user_decision: 'allow',
        decision_notes: 'It only builds',
        decided_by: expect.any(String),
        timestamp: expect.stringMatching(/Z$/),
        decision_timestamp: expect.stringMatching(/Z$/),
      },
    ]);
    expect((await post(`/tool-decisions/${id}/approve`)).status).toBe(409);
    close();
  });

  it('judge one call, not the others like it', async () => {
    const sessionId = newSession();
    const [first, second] = [await run(sessionId, 'cargo build'), await run(sessionId, 'cargo build')];
    await post(`/tool-decisions/${first}/deny`);
    const { pending } = await get(`/sessions/${sessionId}/pending-reviews`);
    expect(pending).toMatchObject([{ tool_use_id: second }]);
    expect((await get('/api/rules')).rules.filter(({ decision }: { decision: string }) => decision === 'deny')).toEqual(
      [],
    );
  });

  it('create the rule in the requested scope, and name it', async () => {
    const sessionId = newSession();
    await daemon.hook({ session_id: sessionId, hook_event_name: 'SessionStart', cwd: '/w/app' });
    const approve = async (rule: object | undefined) =>
      (await post(`/tool-decisions/${await run(sessionId, `make ${++n}`)}/approve`, { create_rule: true, rule })).json;
    const own = await approve(cargo);
    expect(own.rule).toMatchObject({ scope: 'session', session_id: sessionId });
    expect((await approve({ ...cargo, scope: 'project' })).rule).toMatchObject({ scope: 'project', project: '/w/app' });
    expect((await approve({ ...cargo, scope: 'global' })).rule).toMatchObject({ scope: 'global', session_id: null });
    const { tool_decisions } = await get(`/sessions/${sessionId}/tool-decisions`);
    expect(tool_decisions).toContainEqual(expect.objectContaining({ status: 'approved', rule_id: own.rule.id }));
    for (const { id } of await rulesOf(sessionId)) await daemon.call('DELETE', `/rules/${id}`);
  });

  it('suggest a rule if none is given, and say when none was created', async () => {
    const sessionId = newSession();
    const id = await run(sessionId, 'cargo clippy');
    const made = (await post(`/tool-decisions/${id}/approve`, { create_rule: true })).json;
    expect(made.rule).toMatchObject({ decision: 'allow', pattern: { tool_name: 'Bash' } });
    await daemon.call('DELETE', `/rules/${made.rule.id}`);
    const wide = await run(sessionId, '', { tool_name: 'mcp__x__y', tool_input: { a: 1 } });
    const none = (await post(`/tool-decisions/${wide}/approve`, { create_rule: true })).json;
    expect(none).toMatchObject({ ok: true, rule: null, message: expect.stringContaining('send `rule`') });
  });

  it('decide nothing if the rule is invalid', async () => {
    const sessionId = newSession();
    const id = await run(sessionId, 'cargo build');
    const rule = { ...cargo, pattern: { tool_name: 'Write', parameters: { file_path: '../x' } } };
    expect((await post(`/tool-decisions/${id}/approve`, { create_rule: true, rule })).status).toBe(400);
    expect((await get(`/sessions/${sessionId}/pending-reviews`)).pending).toHaveLength(1);
  });

  it('also decide a pending request', async () => {
    const sessionId = newSession();
    const ask = { session_id: sessionId, ...cargo.pattern, tool_input: { command: 'cargo build' }, tool_name: 'Bash' };
    const { request_id } = (await post('/create-approval-request', ask)).json;
    const { rule } = (await post(`/tool-decisions/${request_id}/approve`, { create_rule: true, rule: cargo })).json;
    expect(rule).toMatchObject({ scope: 'session', session_id: sessionId });
    expect((await get(`/approval-requests/${request_id}/decision`)).decision).toBe('allow');
    expect((await post('/request-approval', ask)).json.decision).toBe('allow');
    expect((await post('/tool-decisions/none/approve')).status).toBe(404);
  });

  it('can be reported, once each', async () => {
    const { messages, close } = await openSocket();
    const sessionId = newSession();
    const event = {
      event_type: 'tool_pending_review',
      session_id: sessionId,
      tool_use_id: `reported-${n}`,
      tool_name: 'Bash',
      tool_input: { command: 'terraform apply' },
      timestamp: '2025-11-25T10:00:00.000Z',
    };
    await post('/events', event);
    const told = () => messages.filter(({ data }) => data?.event_type === 'tool_pending_review');
    await expect.poll(told).toMatchObject([{ type: 'event', data: event }]);
    expect((await get(`/sessions/${sessionId}/pending-reviews`)).pending).toMatchObject([
      { tool_use_id: event.tool_use_id, timestamp: event.timestamp },
    ]);
    await post(`/tool-decisions/${event.tool_use_id}/approve`);
    await post('/events', event);
    expect((await get(`/sessions/${sessionId}/pending-reviews`)).pending).toEqual([]);
    expect((await post('/events', { ...event, tool_use_id: undefined })).json.error).toMatchObject({
      code: 'event.missing_field',
      field: 'tool_use_id',
    });
    const { unknownEvents } = await get('/api/status');
    expect(unknownEvents).toEqual([]);
    close();
  });
});

describe('events of the founding documents', () => {
  it('return all their fields, page by page', async () => {
    const session_id = newSession();
    const message = {
      event_type: 'message',
      session_id,
      session_name: 'kept',
      timestamp: '2025-11-25T10:00:00.000Z',
      role: 'assistant',
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'tool_use', id: 't', name: 'Bash', input: {} },
      ],
      anything: { else: true },
    };
    const stop = { event_type: 'session_stop', session_id, exit_code: 3, reason: 'crashed' };
    await post('/events', message);
    for (let i = 0; i < 1100; i += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, j) => post('/events', { event_type: 'user', session_id, content: `${i + j}` })),
      );
    await post('/events', stop);
    const first = await get(`/sessions/${session_id}/events`);
    expect(first.events[0]).toMatchObject(message);
    const second = await get(`/sessions/${session_id}/events?after=${first.next_after}`);
    expect(first.events.length + second.events.length).toBe(1102);
    expect(second.events.at(-1)).toMatchObject(stop);
    expect(second.next_after).toBeNull();
  });

  it('say which rule decided a tool of a client', async () => {
    const session_id = newSession();
    const { json: rule } = await post(`/sessions/${session_id}/rules`, cargo);
    const call = { session_id, tool_name: 'Bash', tool_input: { command: 'cargo build' }, tool_use_id: `r-${n}` };
    await daemon.hook({ ...call, hook_event_name: 'PreToolUse' });
    const { events } = await get(`/sessions/${session_id}/events`);
    expect(events.at(-1)).toMatchObject({
      event_type: 'pre_tool',
      tool_use_id: call.tool_use_id,
      status: 'approved',
      rule_id: rule.id,
    });
  });
});

describe('a finished session', () => {
  it('is not changed by a stop, and says so', async () => {
    const session_id = newSession();
    await post('/events', { event_type: 'user', session_id, content: 'Go' });
    await post('/events', { event_type: 'session_stop', session_id });
    const before = await daemon.session(session_id);
    for (const path of ['stop', 'request-stop'])
      expect((await post(`/sessions/${session_id}/${path}`)).json).toEqual({
        ok: false,
        message: 'The session has already finished. Nothing was changed.',
      });
    expect(await daemon.session(session_id)).toEqual(before);
  });
});

describe('the decisions of a session', () => {
  it('are counted, with the rules that applied', async () => {
    const session_id = newSession();
    const rule = (await post(`/sessions/${session_id}/rules`, cargo)).json;
    const deny = { pattern: { tool_name: 'WebFetch' }, decision: 'deny', reason: 'offline' };
    const gone = (await post(`/sessions/${session_id}/rules`, deny)).json;
    const call = { session_id, cwd: '/w/app', hook_event_name: 'PreToolUse' };
    for (let i = 0; i < 3; i++)
      await daemon.hook({ ...call, tool_use_id: `d${++n}`, tool_name: 'Bash', tool_input: { command: 'cargo build' } });
    await daemon.hook({ ...call, tool_use_id: `d${++n}`, tool_name: 'WebFetch', tool_input: { url: 'https://x.y' } });
    await run(session_id, 'make');
    const ask = (command: string) =>
      post('/create-approval-request', { session_id, tool_name: 'Bash', tool_input: { command } });
    const { request_id } = (await ask('git push')).json;
    await post(`/tool-decisions/${request_id}/respond`, { decision: 'deny' });
    await ask('git pull');
    await ask('cargo build');
    await daemon.call('DELETE', `/rules/${gone.id}`);
    expect(await get(`/api/sessions/${session_id}/decisions`)).toEqual({
      counts: { approved: 4, denied: 2, pending: 1, toReview: 1 },
      rules: [
        {
          ruleId: rule.id,
          text: expect.stringContaining('cargo build'),
          decision: 'allow',
          count: 4,
          lastAt: expect.any(Number),
        },
        { ruleId: gone.id, text: null, decision: 'deny', count: 1, lastAt: expect.any(Number) },
      ],
    });
    const first = await get(`/sessions/${session_id}/tool-decisions?limit=5`);
    const rest = await get(`/sessions/${session_id}/tool-decisions?limit=5&before=${first.next_before}`);
    const ids = [...first.tool_decisions, ...rest.tool_decisions].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(8);
    expect(rest.next_before).toBeNull();
    expect(await get('/api/sessions/nobody/decisions')).toMatchObject({ counts: { approved: 0 }, rules: [] });
  });
});

it('hides secrets from a viewer on /ws', async () => {
  const { code } = (await post('/api/links', { role: 'viewer' })).json;
  const { token } = (await daemon.call('POST', '/api/pair', { token: false, body: { code } })).json;
  const theirs = await openSocket(token);
  const ours = await openSocket();
  const session_id = newSession();
  const command = 'curl -H "Authorization: Bearer sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF"';
  await post('/create-approval-request', { session_id, tool_name: 'Bash', tool_input: { command } });
  const told = ({ messages }: typeof ours) =>
    messages.find((message) => message.type === 'approval_request' && message.session_id === session_id)?.tool_input;
  await expect.poll(() => told(ours)).toEqual({ command });
  await expect.poll(() => told(theirs)).toEqual({ command: expect.stringContaining('[masked]') });
  theirs.close();
  ours.close();
});
