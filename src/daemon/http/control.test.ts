import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openSse } from '../../../test/kit/sse-client.ts';
import { startTestDaemon, type TestDaemon } from '../../../test/kit/test-daemon.ts';
import { Stop } from '../../contract/sessions.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

/** Sessions that are known by their hooks alone: a refused tool is where they stop. */
const prompt = (session_id: string, more = {}) =>
  daemon.hook({ session_id, hook_event_name: 'UserPromptSubmit', prompt: session_id, ...more });
const tool = (session_id: string) =>
  daemon.hook({ session_id, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } });
const stateOf = async (id: string) => (await daemon.session(id)).stop?.state;

describe('how long a stop waits for the next hook', () => {
  it('is a setting that the stop shows and can override', async () => {
    expect((await daemon.call('GET', '/api/stop-wait')).json).toEqual({ seconds: 10 });
    expect(await daemon.call('PUT', '/api/stop-wait', { body: { seconds: 30 } })).toMatchObject({
      json: { seconds: 30 },
    });
    expect((await daemon.call('PUT', '/api/stop-wait', { body: { seconds: -1 } })).status).toBe(400);
    await prompt('w1');
    await prompt('w2');
    const one = (await daemon.call('POST', '/api/sessions/w1/stop', { body: {} })).json;
    expect(one.waitsUntil - one.requestedAt).toBe(30_000);
    const two = (await daemon.call('POST', '/api/sessions/w2/stop', { body: { waitSeconds: 2 } })).json;
    expect(two.waitsUntil - two.requestedAt).toBe(2_000);
    await daemon.call('PUT', '/api/stop-wait', { body: { seconds: 10 } });
    for (const id of ['w1', 'w2']) await daemon.hook({ session_id: id, hook_event_name: 'Stop' });
  });

  it('ends no detached process without ending the session', async () => {
    await prompt('w3');
    const { status, json } = await daemon.call('POST', '/api/sessions/w3/stop', { body: { endDetached: ['1:2'] } });
    expect([status, json.error.problems]).toMatchObject([400, [{ path: expect.stringContaining('endDetached') }]]);
    expect(await stateOf('w3')).toBeUndefined();
    expect((await daemon.call('GET', '/api/sessions/w3/processes')).json).toEqual({
      pids: [],
      toolPids: [],
      serverPids: [],
      detached: [],
    });
    expect((await daemon.call('GET', '/api/sessions/nobody/processes')).status).toBe(404);
  });
});

describe('POST /api/sessions/:id/stop', () => {
  it('announces it immediately, ends the turn through the hooks, and reports the end with a receipt', async () => {
    await prompt('s1');
    const stream = await openSse({ url: daemon.url, token: daemon.localToken });
    const answer = await daemon.call('POST', '/api/sessions/s1/stop', { body: { reason: 'Wrong branch' } });
    expect(answer.status).toBe(202);
    expect(Stop.parse(answer.json)).toMatchObject({
      state: 'stopping',
      requestedBy: 'This machine (local)',
      reason: 'Wrong branch',
      receipt: null,
    });
    await expect
      .poll(() => stream.messages.find(({ event }) => event === 'session_stopping')?.data)
      .toMatchObject({ id: 's1', stop: answer.json });

    expect((await tool('s1')).json).toMatchObject({
      continue: false,
      stopReason: expect.stringContaining('Wrong branch'),
      hookSpecificOutput: { permissionDecision: 'deny' },
    });
    await expect.poll(() => stateOf('s1'), { timeout: 20_000 }).toBe('stopped');
    const { stop, agentState } = await daemon.session('s1');
    expect(stop).toMatchObject({
      stoppedAt: expect.any(Number),
      receipt: { killedPids: [], leftPids: [], processEnded: false, exitCode: 130 },
    });
    expect(stop?.receipt?.steps.map(({ step }) => step)).toEqual(['hooks', 'verified']);
    expect(agentState).toMatchObject({ state: 'interrupted', label: 'Stopped by This machine (local)' });
    stream.close();

    expect((await prompt('s1')).json).toEqual({});
    expect((await daemon.session('s1')).stop).toBeNull();
    expect((await tool('s1')).json).toEqual({});
  });

  it('waits on request, and joins a stop in progress', async () => {
    await prompt('s2');
    const waiting = daemon.call('POST', '/api/sessions/s2/stop', { body: { wait: true } });
    await expect.poll(() => stateOf('s2')).toBe('stopping');
    const second = await daemon.call('POST', '/api/sessions/s2/stop');
    expect(second).toMatchObject({ status: 202, json: { state: 'stopping' } });
    await daemon.hook({ session_id: 's2', hook_event_name: 'Stop' });
    const stopped = await waiting;
    expect(stopped).toMatchObject({ status: 200, json: { state: 'stopped' } });
    expect(stopped.json.requestedAt).toBe(second.json.requestedAt);
    const { json } = await daemon.call('GET', '/api/sessions/s2/events');
    const names = json.events.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['UserPromptSubmit', 'session.stopping', 'Stop', 'session.stopped']);
  });

  it("denies the session's pending request", async () => {
    await prompt('s3');
    await daemon.hook({ session_id: 's3', hook_event_name: 'PreToolUse', tool_use_id: 't1', tool_name: 'Bash' });
    const held = daemon.hook({ session_id: 's3', hook_event_name: 'PermissionRequest', tool_name: 'Bash' });
    const approvals = async () => (await daemon.call('GET', '/api/approvals?sessionId=s3')).json.approvals;
    await expect.poll(approvals).toMatchObject([{ status: 'pending' }]);
    await daemon.call('POST', '/api/sessions/s3/stop', { body: {} });
    expect((await held).json.hookSpecificOutput.decision).toMatchObject({ behavior: 'deny', interrupt: true });
    expect(await approvals()).toMatchObject([
      { status: 'decided', decision: { decision: 'deny', by: 'This machine (local)' } },
    ]);
  });

  it('answers immediately for an ended session', async () => {
    await prompt('s4');
    await daemon.hook({ session_id: 's4', hook_event_name: 'SessionEnd', reason: 'logout' });
    expect(await daemon.call('POST', '/api/sessions/s4/stop', { body: { kill: true } })).toMatchObject({
      status: 200,
      json: { state: 'stopped', receipt: { processEnded: true, leftPids: [] } },
    });
  });

  it('says what is wrong', async () => {
    expect(await daemon.call('POST', '/api/sessions/nobody/stop', { body: {} })).toMatchObject({
      status: 404,
      json: { error: { code: 'session.unknown' } },
    });
    for (const body of [{ kill: 'yes' }, { reason: '' }, { force: true }])
      expect((await daemon.call('POST', '/api/sessions/s1/stop', { body })).status).toBe(400);
  });

  it('is for operators', async () => {
    const { code } = (await daemon.call('POST', '/api/links', { body: { role: 'viewer' } })).json;
    const { token } = (await daemon.call('POST', '/api/pair', { token: false, body: { code } })).json;
    for (const path of ['/api/sessions/s1/stop', '/sessions/s1/stop', '/sessions/s1/request-stop'])
      expect((await daemon.call('POST', path, { token })).status).toBe(403);
    expect((await daemon.call('POST', '/api/stop', { token, body: { all: true } })).status).toBe(403);
    const headers = { 'x-groundcontrol-token': daemon.hookToken };
    expect((await daemon.call('POST', '/api/sessions/s1/stop', { token: false, headers })).status).toBe(401);
  });

  it('is recorded, with who did it and how', async () => {
    const { entries } = (await daemon.call('GET', '/api/audit?action=session.&sessionId=s1')).json;
    expect(entries).toMatchObject([
      { action: 'session.stopping', by: 'This machine (local)', outcome: 'stopping', detail: 'Wrong branch' },
      {
        action: 'session.stopped',
        by: 'This machine (local)',
        outcome: 'stopped',
        detail: expect.stringContaining('hooks, verified'),
      },
    ]);
  });
});

describe('POST /api/stop', () => {
  it('stops the sessions the filter names', async () => {
    await prompt('m1', { cwd: '/w/api' });
    await prompt('m2', { cwd: '/w/web' });
    const { status, json } = await daemon.call('POST', '/api/stop', { body: { project: 'api', group: 'autonomous' } });
    expect([status, json.stops]).toMatchObject([202, [{ sessionId: 'm1', stop: { state: 'stopping' } }]]);
    expect((await daemon.session('m2')).stop).toBeNull();
    await tool('m1');
    const both = daemon.call('POST', '/api/stop', { body: { ids: ['m1', 'm2'], wait: true } });
    await expect.poll(() => stateOf('m2')).toBe('stopping');
    await tool('m2');
    expect(await both).toMatchObject({ status: 200, json: { stops: [{ sessionId: 'm1' }, { sessionId: 'm2' }] } });
    expect((await daemon.call('POST', '/api/stop', { body: { project: 'nothing' } })).json).toEqual({ stops: [] });
  });

  it('requires a selection', async () => {
    for (const body of [{}, { kill: true }, { all: false }, { ids: [] }, { group: 'everyone' }, { allx: true }])
      expect(await daemon.call('POST', '/api/stop', { body })).toMatchObject({ status: 400 });
    expect((await daemon.call('POST', '/api/stop', { body: { ids: ['m1', 'nobody'] } })).status).toBe(404);
  });
});

describe('the routes of the two-way communication documents', () => {
  it.each(['stop', 'request-stop'])('%s asks for a stop that the agent polls for', async (path) => {
    const id = `seed-${path}`;
    const send = (event: object) => daemon.call('POST', '/events', { body: { session_id: id, ...event } });
    const check = async () => {
      const headers = { 'x-groundcontrol-token': daemon.hookToken };
      return (await daemon.call('GET', `/check-stop/${id}`, { token: false, headers })).json;
    };
    expect(await check()).toEqual({ stop_requested: false });
    await send({ event_type: 'session_start', session_name: 'build it' });
    await send({ event_type: 'user', content: 'Go' });
    expect(await check()).toEqual({ stop_requested: false });

    const socket = new WebSocket(`ws://127.0.0.1:${daemon.port}/ws`, {
      headers: { authorization: `Bearer ${daemon.localToken}` },
    });
    // biome-ignore lint/suspicious/noExplicitAny: messages of every shape
    const messages: any[] = [];
    socket.on('message', (data) => messages.push(JSON.parse(String(data))));
    await expect.poll(() => messages[0]?.type).toBe('init');

    expect(await daemon.call('POST', `/sessions/${id}/${path}`)).toMatchObject({
      status: 200,
      json: { ok: true, message: 'Stop requested' },
    });
    await expect.poll(() => messages).toContainEqual({ type: 'session_stopping', session_id: id });
    expect(await check()).toEqual({ stop_requested: true });
    expect((await daemon.call('GET', `/sessions/${id}`)).json).toMatchObject({ status: 'stopping', stopped_at: null });

    await send({ event_type: 'session_stop', reason: 'stopped_by_user' });
    const seen = async () => (await daemon.call('GET', `/sessions/${id}`)).json;
    await expect.poll(async () => (await seen()).status, { timeout: 20_000 }).toBe('stopped');
    expect(await seen()).toMatchObject({
      stopped_at: expect.stringMatching(/^\d{4}-.*Z$/),
      stop_reason: 'stopped_by_user',
      exit_code: 130,
      receipt: { leftPids: [], processEnded: true },
    });
    await expect
      .poll(() => messages.filter(({ data }) => data?.event_type === 'session_stop').at(-1)?.data)
      .toMatchObject({ session_id: id, reason: 'stopped_by_user', exit_code: 130 });
    socket.close();
  });

  it('answer 404 for an unknown session', async () => {
    expect((await daemon.call('POST', '/sessions/nobody/stop')).status).toBe(404);
    expect((await daemon.call('POST', '/sessions/nobody/request-stop')).status).toBe(404);
  });
});
