import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startTestDaemon, type TestDaemon } from '../kit/test-daemon.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

const send = (body: Record<string, unknown>) =>
  daemon.call('POST', '/events', { body: { session_id: 'o1', timestamp: new Date().toISOString(), ...body } });

describe('the routes of the two-way communication documents', () => {
  it('follow a session from its first event to its last', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${daemon.port}/ws`, {
      headers: { authorization: `Bearer ${daemon.localToken}` },
    });
    // biome-ignore lint/suspicious/noExplicitAny: messages of every shape
    const messages: any[] = [];
    socket.on('message', (data) => messages.push(JSON.parse(String(data))));
    await expect.poll(() => messages).toEqual([{ type: 'init', sessions: [] }]);

    expect((await send({ event_type: 'session_start', session_name: 'build it', project_dir: '/w/app' })).json).toEqual(
      { ok: true },
    );
    await send({ event_type: 'user', content: 'Go' });
    await send({ event_type: 'pre_tool', tool_name: 'Bash', tool_input: { command: 'ls' } });
    await send({ event_type: 'post_tool', tool_name: 'Bash', tool_input: { command: 'ls' }, tool_output: 'a b' });
    await send({ event_type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Done' }] });
    const { sessions } = (await daemon.call('GET', '/sessions')).json;
    expect(sessions).toMatchObject([
      { session_id: 'o1', session_name: 'build it', status: 'running', project_dir: '/w/app' },
    ]);
    await send({ event_type: 'session_stop', reason: 'finished' });
    expect((await daemon.call('GET', '/sessions/o1')).json).toMatchObject({ status: 'finished' });

    const types = () => messages.filter(({ type }) => type === 'event').map(({ data }) => data.event_type);
    await expect.poll(types).toEqual(['session_start', 'user', 'pre_tool', 'post_tool', 'message', 'session_stop']);
    expect(messages.find(({ data }) => data?.event_type === 'post_tool').data).toMatchObject({
      session_id: 'o1',
      tool_name: 'Bash',
      tool_output: 'a b',
    });
    expect(messages.filter(({ type }) => type === 'session_updated').at(-1).session).toMatchObject({
      session_id: 'o1',
      status: 'finished',
    });
    await daemon.call('DELETE', '/sessions/o1');
    await expect.poll(() => messages.at(-1)).toEqual({ type: 'session_deleted', session_id: 'o1' });
    socket.close();
  });

  it('do not keep the daemon from stopping while a page is connected', async () => {
    const other = await startTestDaemon();
    const socket = new WebSocket(`ws://127.0.0.1:${other.port}/ws`, {
      headers: { authorization: `Bearer ${other.localToken}` },
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('open', resolve));
    await other.dispose();
    await closed;
  });

  it('say what is wrong with an event', async () => {
    expect(await send({ event_type: 'tea_time' })).toMatchObject({
      status: 400,
      json: { error: { code: 'event.unknown_type' } },
    });
    expect(await daemon.call('POST', '/events', { body: { event_type: 'user' } })).toMatchObject({
      status: 400,
      json: { error: { code: 'request.invalid' } },
    });
    expect((await daemon.call('GET', '/sessions/nobody')).status).toBe(404);
  });

  it('rename a session and list its events', async () => {
    await daemon.call('POST', '/events', { body: { session_id: 'o2', event_type: 'user', content: 'Hi' } });
    expect((await daemon.call('PATCH', '/sessions/o2', { body: { session_name: 'Two' } })).json.session_name).toBe(
      'Two',
    );
    expect((await daemon.call('GET', '/sessions/o2/events')).json.events[0]).toMatchObject({
      event_type: 'user',
      role: 'user',
      content: 'Hi',
    });
  });
});
