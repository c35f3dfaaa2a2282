import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../../test/kit/test-daemon.ts';
import { LiveSession } from '../../contract/sessions.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  await daemon.hook({ session_id: 's1', hook_event_name: 'SessionStart', source: 'startup', cwd: '/w/app' });
  await daemon.hook({ session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt: 'Add auth', cwd: '/w/app' });
});
afterAll(() => daemon.dispose());

describe('/api/sessions', () => {
  it('lists visible sessions according to the contract', async () => {
    const { status, json } = await daemon.call('GET', '/api/sessions');
    expect(status).toBe(200);
    expect(LiveSession.parse(json.sessions[0])).toMatchObject({
      id: 's1',
      title: 'Add auth',
      status: 'working',
      projectDisplayName: 'app',
      tokens: null,
      cost: null,
    });
  });

  it('renames a session, and restores its own title', async () => {
    expect((await daemon.call('PATCH', '/api/sessions/s1', { body: { title: ' The login ' } })).json.title).toBe(
      'The login',
    );
    expect((await daemon.call('PATCH', '/api/sessions/s1', { body: { title: null } })).json.title).toBe('Add auth');
  });

  it('says what is wrong with an invalid change', async () => {
    expect((await daemon.call('PATCH', '/api/sessions/s1', { body: { title: 7 } })).json.error).toMatchObject({
      code: 'request.invalid',
    });
    expect((await daemon.call('PATCH', '/api/sessions/s1', { body: { name: 'x' } })).status).toBe(400);
    expect(await daemon.call('PATCH', '/api/sessions/nobody', { body: { title: 'x' } })).toMatchObject({
      status: 404,
      json: { error: { code: 'session.unknown' } },
    });
    expect((await daemon.call('GET', '/api/sessions/nobody/events')).status).toBe(404);
    expect((await daemon.call('GET', '/api/sessions/s1/events?after=-1')).status).toBe(400);
  });

  it('pages through the events of a session', async () => {
    const first = (await daemon.call('GET', '/api/sessions/s1/events?limit=1')).json;
    expect(first.events).toMatchObject([{ name: 'SessionStart', source: 'hook' }]);
    const next = (await daemon.call('GET', `/api/sessions/s1/events?after=${first.nextAfter}`)).json;
    expect(next.events[0]).toMatchObject({ name: 'UserPromptSubmit', payload: { prompt: 'Add auth' } });
    expect(next.nextAfter).toBeNull();
  });

  it('pages through events from the end, in brief on request', async () => {
    await daemon.hook({ session_id: 's-long', hook_event_name: 'UserPromptSubmit', prompt: 'x'.repeat(5_000) });
    await daemon.hook({ session_id: 's-long', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: {} });
    const path = '/api/sessions/s-long/events?brief=true&limit=1';
    const last = (await daemon.call('GET', `${path}&from=end`)).json;
    expect(last).toMatchObject({ events: [{ name: 'PreToolUse' }], nextAfter: null });
    const earlier = (await daemon.call('GET', `${path}&before=${last.nextBefore}`)).json;
    expect(earlier).toMatchObject({ events: [{ name: 'UserPromptSubmit' }] });
    expect(earlier.events[0].payload.prompt.length).toBeLessThan(400);
    const first = (await daemon.call('GET', `${path}&before=${earlier.nextBefore}`)).json;
    expect(first).toEqual({ events: [], nextAfter: null, nextBefore: null });
  });

  it('removes a session from the board until it is active again', async () => {
    await daemon.hook({ session_id: 'gone', hook_event_name: 'Stop' });
    expect((await daemon.call('DELETE', '/api/sessions/gone')).status).toBe(204);
    expect((await daemon.call('GET', '/api/sessions/gone')).status).toBe(404);
    await daemon.hook({ session_id: 'gone', hook_event_name: 'UserPromptSubmit' });
    expect((await daemon.session('gone')).agentState.state).toBe('thinking');
  });

  it('describes itself', async () => {
    const { json } = await daemon.call('GET', '/api/openapi.json');
    expect(Object.keys(json.paths)).toEqual(
      expect.arrayContaining([
        '/api/sessions',
        '/api/sessions/{id}',
        '/api/sessions/{id}/events',
        '/api/live/stream',
        '/events',
        '/sessions',
      ]),
    );
    expect(JSON.stringify(json.paths['/api/sessions'])).toContain('agentState');
  });

  it('returns the standard error for an unknown path', async () => {
    expect(await daemon.call('GET', '/api/nothing')).toMatchObject({
      status: 404,
      json: { error: { code: 'request.not_found' } },
    });
    expect(await daemon.call('POST', '/api/sessions/one/two')).toMatchObject({
      status: 404,
      json: { error: { code: 'request.not_found' } },
    });
  });
});

describe('after a restart', () => {
  it('shows every session as it was, with nothing to connect to first', async () => {
    const { folder } = daemon;
    const before = (await daemon.call('GET', '/api/sessions')).json;
    await daemon.stop();
    daemon = await startTestDaemon({ folder });
    expect((await daemon.call('GET', '/api/sessions')).json).toEqual(before);
  });
});

describe('an ended session', () => {
  const end = async (session_id: string) => {
    await daemon.hook({ session_id, hook_event_name: 'UserPromptSubmit', prompt: 'Bye' });
    await daemon.hook({ session_id, hook_event_name: 'SessionEnd', reason: 'logout' });
  };
  const inView = async (id: string) =>
    (await daemon.call('GET', '/api/sessions')).json.sessions.some((one: LiveSession) => one.id === id);
  const ENDED = { title: 'Bye', status: 'done', endReason: 'logout', agentState: { state: 'session_ended' } };
  const restart = async (preferences = {}) => {
    const { folder } = daemon;
    await daemon.stop();
    daemon = await startTestDaemon({ folder, preferences });
  };

  it('stays visible until it is dismissed, and can be opened afterwards', async () => {
    await end('dismissed');
    expect(await inView('dismissed')).toBe(true);
    expect((await daemon.call('DELETE', '/api/sessions/dismissed')).status).toBe(204);
    expect(await inView('dismissed')).toBe(false);
    expect(await daemon.session('dismissed')).toMatchObject(ENDED);
    await restart();
    expect(await inView('dismissed')).toBe(false);
    expect(await daemon.session('dismissed')).toMatchObject(ENDED);
    expect((await daemon.call('DELETE', '/api/sessions/dismissed')).json.error.code).toBe('session.not_in_view');
  });

  it('disappears after the configured time', async () => {
    await end('old');
    await restart({ keepEndedMs: 100 });
    await expect.poll(() => inView('old'), { timeout: 40_000 }).toBe(false);
    expect(await daemon.session('old')).toMatchObject(ENDED);
  });
});

it('serves each actor’s states as spans, and 404 for an unknown session', async () => {
  const hook = (hook_event_name: string, more: object = {}) =>
    daemon.hook({ session_id: 'timed', hook_event_name, ...more });
  await hook('UserPromptSubmit', { prompt: 'Go' });
  await hook('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'call-1' });
  await hook('Stop');
  const { json } = await daemon.call('GET', '/api/sessions/timed/timeline');
  expect(json).toMatchObject({ isComplete: true, lanes: [{ actorId: 'main' }] });
  expect(json.lanes[0].spans.at(-1)).toMatchObject({ group: 'needs_you', state: 'idle', to: null });
  const short = await daemon.call('GET', '/api/sessions/timed/timeline?limit=1');
  expect(short.json).toMatchObject({ isComplete: false, lanes: [{ spans: [{ state: 'idle' }] }] });
  expect((await daemon.call('GET', '/api/sessions/nobody/timeline')).status).toBe(404);
});
