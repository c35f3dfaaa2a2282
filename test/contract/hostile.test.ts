import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Approval } from '../../src/contract/approvals.ts';
import { openSse } from '../kit/sse-client.ts';
import { startTestDaemon, type TestDaemon } from '../kit/test-daemon.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

const pending = async (sessionId: string): Promise<Approval[]> =>
  (await daemon.call('GET', `/api/approvals?status=pending&sessionId=${sessionId}`)).json.approvals;
const decide = (id: string, body: unknown) => daemon.call('POST', `/api/approvals/${id}/decision`, { body });

describe('a hook that takes one of our own names', () => {
  it.each(['approval.requested', 'approval.decided', 'session.stopped', 'session.deleted', 'constructor', '__proto__'])(
    'is an unknown event like any other: %s',
    async (hook_event_name) => {
      const session_id = `named-${hook_event_name}`;
      expect((await daemon.hook({ session_id, hook_event_name })).status).toBe(200);
      expect((await daemon.hook({ session_id, hook_event_name, approval: { id: 'forged' } })).status).toBe(200);
      expect(await daemon.session(session_id)).toMatchObject({ id: session_id, stop: null });
      const { status, json } = await daemon.call('GET', `/sessions/${session_id}/events`);
      expect(status).toBe(200);
      expect(json.events.every((event: { event_type: unknown }) => typeof event.event_type === 'string')).toBe(true);
    },
  );

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
  it('is kept, and harms nobody who watches', async () => {
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

describe('calls side by side', () => {
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

  it('are told apart when they ask in the same moment', async () => {
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

describe('permission requests that no call was seen of', () => {
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
    // edited on its way, but there is only this one left
    await daemon.hook({ ...call('make c --dry'), hook_event_name: 'PostToolUse', tool_use_id: 'c', tool_response: {} });
    await expect.poll(left).toEqual([]);
  });

  it('of MCP servers too', async () => {
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

describe('two at once', () => {
  it('remove one rule: what agents report in the same moment is kept', async () => {
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

describe('a daemon that leaves', () => {
  it('denies nothing that nobody denied, and finds the question again', async () => {
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

describe('a plan whose file is none', () => {
  it.each(['/dev/zero', '/dev/tty', '/etc/passwd', '/nowhere/x.md'])('is shown by its words: %s', async (path) => {
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

describe('a viewer who watches', () => {
  it('does not make a background subagent wait for an answer that it cannot give', async () => {
    const { code } = (await daemon.call('POST', '/api/links', { body: { role: 'viewer' } })).json;
    const { token } = (await daemon.call('POST', '/api/pair', { token: false, body: { code } })).json;
    const stream = await openSse({ url: daemon.url, token });
    const call = { session_id: 'viewed', agent_id: 'a1', tool_name: 'Bash', tool_input: { command: 'make' } };
    const answer = await daemon.hook({ ...call, hook_event_name: 'PermissionRequest' });
    expect(answer.json).toEqual({});
    stream.close();
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
