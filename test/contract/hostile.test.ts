import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Approval } from '../../src/contract/approvals.ts';
import { pair } from '../kit/pair.ts';
import { openSse } from '../kit/sse-client.ts';
import { startTestDaemon, type TestDaemon } from '../kit/test-daemon.ts';
import { waitFor } from '../kit/wait.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

const pending = async (sessionId: string): Promise<Approval[]> =>
  (await daemon.call('GET', `/api/approvals?status=pending&sessionId=${sessionId}`)).json.approvals;
const decide = (id: string, body: unknown) => daemon.call('POST', `/api/approvals/${id}/decision`, { body });

describe('a hook that uses one of our own event names', () => {
  it.each([
    'approval.requested',
    'approval.decided',
    'rule.applied',
    'session.stopped',
    'session.deleted',
    'constructor',
    '__proto__',
  ])('is an unknown event like any other: %s', async (hook_event_name) => {
    const session_id = `named-${hook_event_name}`;
    expect((await daemon.hook({ session_id, hook_event_name })).status).toBe(200);
    expect((await daemon.hook({ session_id, hook_event_name, approval: { id: 'forged' } })).status).toBe(200);
    expect(await daemon.session(session_id)).toMatchObject({ id: session_id, stop: null });
    const { status, json } = await daemon.call('GET', `/sessions/${session_id}/events`);
    expect(status).toBe(200);
    expect(json.events.every((event: { event_type: unknown }) => typeof event.event_type === 'string')).toBe(true);
  });

  it("cannot take another session's id by naming a machine", async () => {
    const { machine } = (await daemon.call('GET', '/api/status')).json;
    await daemon.hook({ session_id: 'victim', hook_event_name: 'Stop' });
    const forged = await daemon.hook({ session_id: `victim@${machine.id}`, hook_event_name: 'Stop' });
    expect([forged.status, forged.json.error.code]).toEqual([400, 'session.bad_id']);
    expect(await daemon.session(`victim@${machine.id}`)).toMatchObject({ id: 'victim', machine: machine.name });
    expect((await daemon.call('GET', '/api/sessions/victim@m-0000000000000000/changes')).json.error).toMatchObject({
      code: 'machine.unknown',
    });
  });

  it('cannot break the documents’ list of events by the types of its fields', async () => {
    const forged = { event_type: 'user', timestamp: 5, id: 'mine', session_name: {} };
    await daemon.hook({ session_id: 'typed', hook_event_name: 'Stop', ...forged });
    const { status, json } = await daemon.call('GET', '/sessions/typed/events');
    expect(status).toBe(200);
    expect(json.events).toMatchObject([{ event_type: 'user', id: expect.any(Number), timestamp: expect.any(String) }]);
  });

  it('does not keep the daemon from starting again', async () => {
    const first = await startTestDaemon();
    await first.hook({ session_id: 's', hook_event_name: 'approval.requested' }).catch(() => undefined);
    await first.stop();
    const second = await startTestDaemon({ folder: first.folder });
    expect((await second.session('s')).id).toBe('s');
    await second.dispose();
  });
});

describe('an event that cannot be read', () => {
  it('is kept, and harms no viewer', async () => {
    const session_id = 'deep';
    const client = new WebSocket(`ws://127.0.0.1:${daemon.port}/ws`, {
      headers: { authorization: `Bearer ${daemon.localToken}` },
    });
    await once(client, 'open');
    const depth = 200_000;
    const tool_input = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const body = Buffer.from(
      `{"session_id":"${session_id}","hook_event_name":"PreToolUse","tool_name":"X","tool_input":${tool_input}}`,
    );
    const headers = { 'x-groundcontrol-token': daemon.hookToken };
    await daemon.call('POST', '/api/live/hook', { token: false, headers, body });
    await daemon.hook({ session_id, hook_event_name: 'UserPromptSubmit', prompt: 'after' });
    expect(await daemon.session(session_id)).toMatchObject({ title: 'after' });
    client.terminate();
  });
});

describe('odd session ids', () => {
  it.each(['__proto__', 'constructor', 'a/b', '../..', 'ü '])('are ids like any other: %s', async (session_id) => {
    await daemon.hook({ session_id, hook_event_name: 'UserPromptSubmit', prompt: 'x' });
    expect(await daemon.session(encodeURIComponent(session_id))).toMatchObject({ id: session_id, title: 'x' });
  });
});

describe('parallel calls', () => {
  it.each([
    ['forward', ['a', 'b']],
    ['backward', ['b', 'a']],
  ])('are each answered with their own decision: asked %s', async (name, order) => {
    const session_id = `parallel-${name}`;
    const call = (id: string) => ({
      session_id,
      tool_name: 'WebFetch',
      tool_input: { url: `https://${id}.example/` },
    });
    for (const id of ['a', 'b'])
      await daemon.hook({ ...call(id), hook_event_name: 'PreToolUse', tool_use_id: `${name}-${id}` });
    const answers = new Map<string, Promise<{ json: unknown }>>();
    for (const id of order) {
      answers.set(id, daemon.hook({ ...call(id), hook_event_name: 'PermissionRequest' }));
      await expect.poll(() => pending(session_id)).toHaveLength(answers.size);
    }
    for (const { id, toolInput, toolUseId } of await pending(session_id)) {
      const isA = JSON.stringify(toolInput).includes('//a.');
      expect(toolUseId).toBe(`${name}-${isA ? 'a' : 'b'}`);
      await decide(id, isA ? { decision: 'allow' } : { decision: 'deny', message: 'not b' });
    }
    const behavior = async (id: string) => JSON.stringify((await answers.get(id))?.json);
    expect(await behavior('a')).toContain('"behavior":"allow"');
    expect(await behavior('b')).toContain('"behavior":"deny"');
  });

  it('are distinguished when they ask at the same moment', async () => {
    const session_id = 'parallel-moment';
    const call = (n: number) => ({ session_id, tool_name: 'WebFetch', tool_input: { url: `https://${n}.example/` } });
    const all = [1, 2, 3, 4, 5];
    for (const n of all) await daemon.hook({ ...call(n), hook_event_name: 'PreToolUse', tool_use_id: `m-${n}` });
    const answers = all.map((n) => daemon.hook({ ...call(n), hook_event_name: 'PermissionRequest' }));
    await expect.poll(() => pending(session_id)).toHaveLength(all.length);
    for (const { id, toolInput } of await pending(session_id))
      await decide(id, { decision: 'deny', message: `no to ${toolInput.url}` });
    for (const [index, answer] of answers.entries())
      expect((await answer).json.hookSpecificOutput.decision.message).toBe(`no to https://${all[index]}.example/`);
  });
});

describe('permission requests without a known call', () => {
  it('are settled one by one, each by what follows for its own input', async () => {
    const session_id = 'unpaired';
    const call = (command: string) => ({ session_id, tool_name: 'Bash', tool_input: { command } });
    const commands = ['make a', 'make b', 'make c'];
    const answers = commands.map((command) => daemon.hook({ ...call(command), hook_event_name: 'PermissionRequest' }));
    await expect.poll(() => pending(session_id)).toHaveLength(3);
    const left = async () => (await pending(session_id)).map(({ toolInput }) => toolInput.command);

    await daemon.hook({ ...call('make b'), hook_event_name: 'PostToolUse', tool_use_id: 'b', tool_response: {} });
    await expect.poll(left).toEqual(['make a', 'make c']);
    expect((await answers[1])?.json).toEqual({});
    await daemon.hook({ ...call('make x'), hook_event_name: 'PostToolUse', tool_use_id: 'x', tool_response: {} });
    await daemon.hook({ ...call('make a'), hook_event_name: 'PermissionDenied', tool_use_id: 'a' });
    await expect.poll(left).toEqual(['make c']);
    // its input was edited, but it is the only one left
    await daemon.hook({ ...call('make c --dry'), hook_event_name: 'PostToolUse', tool_use_id: 'c', tool_response: {} });
    await expect.poll(left).toEqual([]);
  });

  it('of MCP servers too', async () => {
    // held for an operator who is away: no terminal shows these
    await daemon.call('PUT', '/api/away', { body: { away: true } });
    onTestFinished(async () => void (await daemon.call('PUT', '/api/away', { body: { away: false } })));
    const session_id = 'elicited';
    const ask = (server: string) => ({ session_id, mcp_server_name: server, message: 'Which one?', mode: 'form' });
    const answers = ['one', 'two'].map((server) => daemon.hook({ ...ask(server), hook_event_name: 'Elicitation' }));
    await expect.poll(() => pending(session_id)).toHaveLength(2);
    await daemon.hook({ ...ask('one'), hook_event_name: 'ElicitationResult', action: 'accept' });
    await expect
      .poll(async () => (await pending(session_id)).map(({ toolName }) => toolName))
      .toEqual(['elicitation:two']);
    expect((await answers[0])?.json).toEqual({});
  });
});

describe('concurrent requests', () => {
  it('remove one rule: reports from agents at the same moment are kept', async () => {
    const rule = { scope: 'global', pattern: { toolName: 'Nothing', parameters: {} }, decision: 'deny', reason: '' };
    const created = await daemon.call('POST', '/api/rules', { body: rule });
    expect(created.status).toBe(201);
    const path = `/api/rules/${created.json.id}`;
    const hooks = Array.from({ length: 20 }, (_, n) =>
      daemon.hook({ session_id: 'beside', hook_event_name: 'Notification', n }),
    );
    const removals = await Promise.all([1, 2, 3].map(() => daemon.call('DELETE', path)));
    expect(removals.filter(({ status }) => status === 204)).toHaveLength(1);
    for (const answer of await Promise.all(hooks)) expect(answer.status).toBe(200);
  });
});

describe('a daemon that stops', () => {
  it('denies nothing on its own, and finds the question again', async () => {
    const first = await startTestDaemon();
    const body = { session_id: 's', tool_name: 'Bash', tool_input: {}, correlation_id: 'mine', timeout: 600 };
    const asked = first.call('POST', '/request-approval', { body });
    await expect
      .poll(async () => (await first.call('GET', '/api/approvals?status=pending')).json.approvals)
      .toHaveLength(1);
    await first.stop();
    expect(await asked).toMatchObject({ status: 503, json: { error: { code: 'approval.pending' } } });
    const second = await startTestDaemon({ folder: first.folder });
    const again = second.call('POST', '/request-approval', { body });
    const [approval] = (await second.call('GET', '/api/approvals?status=pending')).json.approvals;
    await second.call('POST', `/api/approvals/${approval.id}/decision`, { body: { decision: 'allow' } });
    expect((await again).json).toMatchObject({ decision: 'allow', correlation_id: 'mine' });
    await second.dispose();
  });
});

describe('a plan whose file is not one', () => {
  it.each(['/dev/zero', '/dev/tty', '/etc/passwd', '/nowhere/x.md'])('is shown from its text: %s', async (path) => {
    const session_id = `plan-${path.replaceAll('/', '-')}`;
    const tool_input = { plan: 'the words', planFilePath: path };
    const answer = daemon.hook({
      session_id,
      hook_event_name: 'PermissionRequest',
      tool_name: 'ExitPlanMode',
      tool_input,
    });
    await expect.poll(() => pending(session_id)).toHaveLength(1);
    const [approval] = await pending(session_id);
    expect(approval?.plan).toBe('the words');
    await decide(approval!.id, { decision: 'deny' });
    await answer;
  });
});

describe('a viewer’s stream', () => {
  it('does not make a background subagent wait for an answer that it cannot give', async () => {
    const { code } = (await daemon.call('POST', '/api/links', { body: { role: 'viewer' } })).json;
    const { token } = (await daemon.call('POST', '/api/pair', { token: false, body: { code } })).json;
    const stream = await openSse({ url: daemon.url, token });
    const call = { session_id: 'viewed', agent_id: 'a1', tool_name: 'Bash', tool_input: { command: 'make' } };
    const answer = await daemon.hook({ ...call, hook_event_name: 'PermissionRequest' });
    expect(answer.json).toEqual({});
    stream.close();
  });

  it('sees no secrets, on any route or on the stream', async () => {
    const { code } = (await daemon.call('POST', '/api/links', { body: { role: 'viewer' } })).json;
    const { token } = (await daemon.call('POST', '/api/pair', { token: false, body: { code } })).json;
    const secret = 'hunter2-correct-horse';
    const session_id = 'secretive';
    const stream = await openSse({ url: daemon.url, token });
    await daemon.hook({ session_id, hook_event_name: 'UserPromptSubmit', prompt: `export DB_PASSWORD=${secret}` });
    await expect.poll(() => stream.messages.some(({ data }) => data.id === session_id)).toBe(true);
    const late = await openSse({ url: daemon.url, token, query: '?picture=whole' });
    await expect.poll(() => late.messages.length).toBeGreaterThan(0);
    const replayed = await openSse({ url: daemon.url, token, lastEventId: 1 });
    await expect.poll(() => replayed.messages.length).toBeGreaterThan(0);
    const streamed = JSON.stringify([stream, late, replayed].map(({ messages }) => messages));
    expect(streamed).toContain('DB_PASSWORD=[masked]');
    expect(streamed).not.toContain(secret);
    for (const path of [`/api/sessions/${session_id}/events`, `/sessions/${session_id}/events`, '/api/sessions']) {
      const { text } = await daemon.call('GET', path, { token });
      expect(text).toContain('DB_PASSWORD=[masked]');
      expect(text).not.toContain(secret);
      expect((await daemon.call('GET', path)).text).toContain(secret);
    }
    for (const each of [stream, late, replayed]) each.close();
  });
});

describe('connections that break', () => {
  const upgrade = (port: number) =>
    `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

  it('in the middle of a refused upgrade, without harm', async () => {
    for (let n = 0; n < 50; n++) {
      const socket = connect(daemon.port, '127.0.0.1');
      socket.on('error', () => undefined);
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.write(upgrade(daemon.port));
      socket.resetAndDestroy();
    }
    await sleep(200);
    expect((await daemon.call('GET', '/healthz')).status).toBe(200);
  });
});

describe('payloads that would block everyone', () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n % 10]));
  const post = (payload: unknown) =>
    daemon.call('POST', '/api/live/hook', {
      token: false,
      headers: { 'x-groundcontrol-token': daemon.hookToken },
      body: payload,
    });
  it('are recorded by their names, and change the state of the session', async () => {
    const payload = {
      session_id: 'huge',
      hook_event_name: 'PreToolUse',
      tool_name: 'mcp__x__y',
      tool_input: keys(500_000),
    };
    const body = Buffer.from(JSON.stringify(payload));
    await post(body);
    expect((await daemon.session('huge')).agentState).toMatchObject({ group: 'autonomous' });
    const { events } = (await daemon.call('GET', '/api/sessions/huge/events')).json;
    expect(events.at(-1).payload).toEqual({
      session_id: 'huge',
      hook_event_name: 'PreToolUse',
      tool_name: 'mcp__x__y',
      unreadable: { why: 'it has more than 30,000 values', bytes: body.length },
    });
  });

  it('never slip past a rule: a call that is too large to check is denied', async () => {
    const open = { session_id: 'slip', hook_event_name: 'PreToolUse', tool_name: 'Write' };
    const large = { ...open, tool_input: { file_path: '/a', content: 'x'.repeat(17 * 2 ** 20) } };
    const nested = { ...open, tool_name: 'mcp__x__y', tool_input: keys(200_000) };
    expect((await post(large)).json).toEqual({});
    const rule = { scope: 'global', pattern: { toolName: 'Read', parameters: {} }, decision: 'deny' };
    const { id } = (await daemon.call('POST', '/api/rules', { body: rule })).json;
    for (const payload of [large, nested])
      expect((await post(payload)).json).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
    expect((await post({ ...nested, hook_event_name: 'PermissionRequest' })).json).toMatchObject({
      hookSpecificOutput: { decision: { behavior: 'deny' } },
    });
    expect((await post({ ...nested, hook_event_name: 'PostToolUse' })).json).toEqual({});
    await daemon.call('DELETE', `/api/rules/${id}`);
  });

  it('keep a shortened copy of a large file in the journal', async () => {
    const tool_input = { file_path: '/a/b', content: 'x'.repeat(4 * 2 ** 20) };
    await post({ session_id: 'file', hook_event_name: 'PreToolUse', tool_name: 'Write', tool_input });
    const { events } = (await daemon.call('GET', '/api/sessions/file/events')).json;
    const { payload } = events.at(-1);
    expect(payload.shortened.bytes).toBeGreaterThan(4 * 2 ** 20);
    expect(payload.tool_input.content.length).toBeLessThan(70_000);
    expect(payload.tool_input.file_path).toBe('/a/b');
  });

  it.each(['/events', '/api/rules', '/api/links'])('are refused with a reason as the body of %s', async (path) => {
    const deep = Buffer.from(
      `{"session_id":"d","event_type":"x","content":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    );
    const { status, json } = await daemon.call('POST', path, { body: deep });
    expect([status, json.error.code]).toEqual([400, 'request.too_complex']);
  });
});

describe('half of a surrogate pair', () => {
  it('as the name of a tool or a device does not end the daemon when its answer is read', async () => {
    const half = '\ud800';
    const { json: made } = await daemon.call('POST', '/api/tokens', {
      token: await pair(daemon.link()),
      body: { role: 'operator', name: half },
    });
    await daemon.call('PUT', '/api/away', { token: made.token, body: { away: true } });
    const asked = daemon.hook({
      session_id: 'half',
      hook_event_name: 'PermissionRequest',
      tool_name: `${half}Tool`,
      tool_input: { command: half },
    });
    const pending = await waitFor(
      async () =>
        (await daemon.call('GET', '/api/approvals?status=pending&sessionId=half')).json.approvals[0] as
          | { id: string }
          | undefined,
      { what: 'the request' },
    );
    await daemon.call('POST', `/api/approvals/${pending.id}/decision`, {
      token: made.token,
      body: { decision: 'deny' },
    });
    await asked;
    for (const path of [
      '/api/audit',
      '/api/stats',
      '/api/sessions/half/decisions',
      '/sessions/half/tool-decisions',
      '/api/approvals',
    ])
      expect((await daemon.call('GET', path)).status, path).toBeLessThan(500);
  });
});
