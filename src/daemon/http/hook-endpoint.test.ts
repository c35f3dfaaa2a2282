import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../../test/kit/test-daemon.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

const post = (body: Buffer) =>
  daemon.call('POST', '/api/live/hook', { token: false, headers: { 'x-groundcontrol-token': daemon.hookToken }, body });

describe('POST /api/live/hook', () => {
  it('accepts any valid payload, keeps unknown fields and events, and returns {}', async () => {
    const payload = { session_id: 'a', hook_event_name: 'NotYetInvented', some_field: { deep: [1] } };
    expect(await daemon.hook(payload)).toMatchObject({ status: 200, text: '{}' });
    const { json } = await daemon.call('GET', '/api/sessions/a/events');
    expect(json.events).toMatchObject([{ source: 'hook', name: 'NotYetInvented', payload }]);
    const { unknownEvents } = (await daemon.call('GET', '/api/status')).json;
    expect(unknownEvents).toMatchObject([{ name: 'NotYetInvented', count: 1 }]);
  });

  it.each([
    ['an empty body', '', 'hook.bad_json'],
    ['half a body', '{"session_id": "x", ', 'hook.bad_json'],
    ['a list', '[]', 'hook.not_an_object'],
    ['null', 'null', 'hook.not_an_object'],
    ['no session_id', '{"hook_event_name": "Stop"}', 'hook.bad_field'],
    ['an empty session_id', '{"session_id": "", "hook_event_name": "Stop"}', 'hook.bad_field'],
    ['a session_id that is no string', '{"session_id": 7, "hook_event_name": "Stop"}', 'hook.bad_field'],
    ['no event name', '{"session_id": "x"}', 'hook.bad_field'],
  ])('refuses %s with the reason, and writes nothing', async (_what, body, code) => {
    const before = (await daemon.call('GET', '/api/status')).json.eventCount;
    const answer = await post(Buffer.from(body));
    expect(answer.status).toBe(400);
    expect(answer.json.error.code).toBe(code);
    expect(answer.json.error.message.length).toBeGreaterThan(10);
    expect((await daemon.call('GET', '/api/status')).json.eventCount).toBe(before);
  });

  it('accepts a 15 MB payload in full, and reads only the names of a larger one', async () => {
    const write = (megabytes: number) => ({
      session_id: 'big',
      hook_event_name: 'PreToolUse',
      tool_name: 'Write',
      tool_input: { file_path: '/a/b.txt', content: 'x'.repeat(megabytes * 1024 * 1024) },
    });
    expect((await daemon.hook(write(15))).status).toBe(200);
    expect((await daemon.session('big')).agentState.label).toBe('Editing b.txt');
    expect((await daemon.hook(write(17))).json).toEqual({});
    const { events } = (await daemon.call('GET', '/api/sessions/big/events')).json;
    expect(events.at(-1).payload).toMatchObject({ tool_name: 'Write', unreadable: { why: 'it is larger than 16 MB' } });
  });

  it('accepts a payload with any content type', async () => {
    const headers = { 'x-groundcontrol-token': daemon.hookToken, 'content-type': 'application/x-www-form-urlencoded' };
    const body = Buffer.from('{"session_id": "curl", "hook_event_name": "Stop"}');
    expect((await daemon.call('POST', '/api/live/hook', { token: false, headers, body })).status).toBe(200);
  });
});
