import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startTestDaemon, type TestDaemon } from '../../../test/kit/test-daemon.ts';
import { Prompt } from '../../contract/prompts.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

let n = 0;
const newSession = () => `told-${++n}`;
const hook = (session_id: string, hook_event_name: string, more: object = {}) =>
  daemon.hook({ session_id, hook_event_name, cwd: '/w/app', ...more });
const tell = (id: string, text: string, more: object = {}) =>
  daemon.call('POST', `/api/sessions/${id}/prompt`, { body: { text, ...more } });
const prompts = async (id: string): Promise<Prompt[]> =>
  (await daemon.call('GET', `/api/sessions/${id}/prompts`)).json.prompts;
const statuses = async (id: string) => (await prompts(id)).map(({ text, status }) => [text, status]);

/** The hook that waits in the background of a session. */
function wait(session_id: string, hook_event_name = 'Stop') {
  const body = Buffer.from(JSON.stringify({ session_id, hook_event_name }));
  let answer: Pick<Answer, 'status' | 'text'> | undefined;
  const request = httpRequest({
    host: '127.0.0.1',
    port: daemon.port,
    method: 'POST',
    path: '/api/live/rewake',
    headers: { 'x-groundcontrol-token': daemon.hookToken, 'content-length': body.length },
  });
  const ended = new Promise<Pick<Answer, 'status' | 'text'>>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        answer = { status: response.statusCode ?? 0, text };
        resolve(answer);
      });
    });
  });
  ended.catch(() => undefined);
  request.end(body);
  return { ended, answer: () => answer, hangUp: () => request.destroy() };
}

/** Between two turns, and listening. */
async function idleSession() {
  const id = newSession();
  await hook(id, 'SessionStart', { source: 'startup' });
  const waiter = wait(id, 'SessionStart');
  await listens(id);
  return { id, waiter };
}

/** A waiter has arrived: a prompt sent now would wait for nothing, or only for the end of the turn. */
async function listens(id: string): Promise<void> {
  const waitsFor = async () => (await daemon.call('GET', `/api/sessions/${id}/prompts`)).json.waitsFor;
  await expect.poll(waitsFor).toBeNull();
}

describe('a prompt that could not work', () => {
  it("is refused if it is a command for the client's input line, unless it is meant as text", async () => {
    const { id, waiter } = await idleSession();
    for (const text of ['/compact', '/clear now', '!ls'])
      expect(await tell(id, text)).toMatchObject({
        status: 409,
        json: { error: { code: 'prompt.client_command', command: text.split(' ')[0] } },
      });
    expect(await prompts(id)).toEqual([]);
    expect((await tell(id, '/compact', { asText: true })).json).toMatchObject({ status: 'delivered' });
    expect(await waiter.ended).toEqual({ status: 200, text: '/compact' });
  });

  it('is refused by a headless session, and earlier prompts are dropped with the reason', async () => {
    const id = newSession();
    await hook(id, 'UserPromptSubmit', { prompt: 'Work' });
    expect((await tell(id, 'And then this')).json).toMatchObject({ status: 'queued' });
    const file = join(daemon.configDir, 'sessions', `${process.pid}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ pid: process.pid, sessionId: id, entrypoint: 'sdk-cli', status: 'busy' }));
    await expect.poll(async () => (await daemon.session(id)).noPrompts).toContain('headless');
    rmSync(file);
    await expect
      .poll(() => prompts(id))
      .toMatchObject([{ status: 'expired', note: expect.stringContaining('headless') }]);
    expect(await tell(id, 'And this')).toMatchObject({ status: 409, json: { error: { code: 'prompt.unsupported' } } });
  });
});

it("shows the text in the terminal's status line without control characters", async () => {
  const { id } = await idleSession();
  const text = 'make\u001b[2J one\nand \u202etwo';
  expect((await tell(id, text)).json).toMatchObject({ status: 'delivered' });
  const woken = `<task-notification>\n<summary>Prompt from Ground Control</summary>\n</task-notification>\n${text}`;
  expect((await hook(id, 'UserPromptSubmit', { prompt: woken })).json).toEqual({
    systemMessage: 'This machine (local): make [2J one and two',
  });
  const others = woken.replace('Prompt from Ground Control', 'Background command "x" completed');
  expect((await hook(id, 'UserPromptSubmit', { prompt: others })).json).toEqual({});
});

describe('a prompt', () => {
  it('wakes a session that is idle, at once', async () => {
    const { id, waiter } = await idleSession();
    const { status, json } = await tell(id, '  Go on with "it"\n\nand then ü  ');
    expect(status).toBe(200);
    expect(Prompt.parse(json)).toMatchObject({
      sessionId: id,
      text: 'Go on with "it"\n\nand then ü',
      status: 'delivered',
      deliveredAt: expect.any(Number),
      by: expect.stringContaining('This machine'),
    });
    expect(await waiter.ended).toEqual({ status: 200, text: 'Go on with "it"\n\nand then ü' });
    expect(await daemon.session(id)).toMatchObject({
      lastUserMessage: 'Go on with "it" and then ü',
      turnCount: 1,
      queuedPrompts: 0,
    });
  });

  it('waits for a busy session and is delivered at its Stop; several in order, one per turn', async () => {
    const { id, waiter } = await idleSession();
    await hook(id, 'UserPromptSubmit', { prompt: 'work' });
    for (const text of ['first', 'second', 'third']) {
      const { json } = await tell(id, text);
      expect(json).toMatchObject({ status: 'queued', note: expect.stringContaining('when its turn ends') });
    }
    expect(await daemon.session(id)).toMatchObject({ queuedPrompts: 3, lastUserMessage: 'work' });
    await hook(id, 'PostToolUseFailure', { tool_name: 'Bash', error: 'Exit code 1' });
    expect(waiter.answer()).toBeUndefined();

    let listening = waiter;
    for (const text of ['first', 'second', 'third']) {
      await hook(id, 'Stop', { background_tasks: [] });
      expect(await listening.ended).toEqual({ status: 200, text });
      // the Stop's own waiter, and then the woken turn's
      const late = wait(id);
      await hook(id, 'UserPromptSubmit', { prompt: `<task-notification>…</task-notification>${text}` });
      listening = wait(id, 'UserPromptSubmit');
      expect(await late.ended).toEqual({ status: 204, text: '' });
    }
    expect(await statuses(id)).toEqual([
      ['first', 'delivered'],
      ['second', 'delivered'],
      ['third', 'delivered'],
    ]);
    expect(await daemon.session(id)).toMatchObject({ queuedPrompts: 0, turnCount: 4, lastUserMessage: 'third' });
    listening.hangUp();
  });

  it('reaches a session that was interrupted at the keyboard', async () => {
    const { id, waiter } = await idleSession();
    await hook(id, 'UserPromptSubmit', { prompt: 'think' });
    expect((await tell(id, 'instead')).json.status).toBe('queued');
    await hook(id, 'Notification', { notification_type: 'idle_prompt' });
    expect(await waiter.ended).toEqual({ status: 200, text: 'instead' });
  });

  it('waits until the session listens', async () => {
    const id = newSession();
    await hook(id, 'Stop');
    const { json } = await tell(id, 'hello');
    expect(json).toMatchObject({ status: 'queued', note: expect.stringContaining('when its next turn ends') });
    expect(await wait(id).ended).toEqual({ status: 200, text: 'hello' });
    expect(await statuses(id)).toEqual([['hello', 'delivered']]);
  });

  it('returns to its place if the waiter is gone, and goes to the next waiter', async () => {
    const { id, waiter } = await idleSession();
    waiter.hangUp();
    const results = await Promise.all(['one', 'two'].map((text) => tell(id, text)));
    expect(results.map(({ status }) => status)).toEqual([200, 200]);
    await expect
      .poll(() => statuses(id))
      .toEqual([
        ['one', 'queued'],
        ['two', 'queued'],
      ]);
    expect(await wait(id).ended).toEqual({ status: 200, text: 'one' });
    const next = wait(id);
    await hook(id, 'UserPromptSubmit', { prompt: '<task-notification>' });
    await hook(id, 'Stop');
    expect(await next.ended).toEqual({ status: 200, text: 'two' });
  });

  it('can be withdrawn while it is queued', async () => {
    const id = newSession();
    await hook(id, 'UserPromptSubmit', { prompt: 'work' });
    const { json: first } = await tell(id, 'no, not that');
    const { json: second } = await tell(id, 'but this');
    expect((await daemon.call('DELETE', `/api/prompts/${first.id}`)).status).toBe(204);
    expect(await daemon.call('DELETE', `/api/prompts/${first.id}`)).toMatchObject({
      status: 409,
      json: { error: { code: 'prompt.not_queued', message: expect.stringContaining('cancelled') } },
    });
    expect((await daemon.session(id)).queuedPrompts).toBe(1);
    await hook(id, 'Stop');
    expect((await wait(id).ended).text).toBe('but this');
    expect((await daemon.call('DELETE', `/api/prompts/${second.id}`)).json.error.message).toContain('delivered');
    expect((await daemon.call('DELETE', '/api/prompts/nothing')).status).toBe(404);
  });

  it('expires', async () => {
    const id = newSession();
    await hook(id, 'UserPromptSubmit', { prompt: 'work' });
    const { json } = await tell(id, 'soon', { expiresInSeconds: 1 });
    expect(json.expiresAt - json.createdAt).toBe(1000);
    await expect.poll(() => statuses(id), { timeout: 20_000 }).toEqual([['soon', 'expired']]);
    expect((await daemon.session(id)).queuedPrompts).toBe(0);
    const waiter = wait(id);
    await hook(id, 'Stop');
    await listens(id);
    expect(waiter.answer()).toBeUndefined();
    waiter.hangUp();
  });

  it('is recorded with its sender', async () => {
    const { id } = await idleSession();
    await tell(id, 'for the record');
    const { entries } = (await daemon.call('GET', `/api/audit?action=prompt.&sessionId=${id}`)).json;
    expect(entries).toMatchObject([
      { action: 'prompt.queued', by: expect.stringContaining('This machine'), detail: 'for the record' },
      { action: 'prompt.delivered' },
    ]);
  });
});

describe('a session that ends', () => {
  it('releases its waiter, and its prompts expire', async () => {
    const { id, waiter } = await idleSession();
    await hook(id, 'UserPromptSubmit', { prompt: 'work' });
    await tell(id, 'too late');
    await hook(id, 'SessionEnd', { reason: 'clear' });
    expect(await waiter.ended).toEqual({ status: 204, text: '' });
    await expect.poll(() => statuses(id)).toEqual([['too late', 'expired']]);
    expect(await wait(id).ended).toEqual({ status: 204, text: '' });
  });

  it('takes no further prompts, and says how to resume it', async () => {
    const { id } = await idleSession();
    await hook(id, 'SessionEnd', { reason: 'other' });
    expect(await tell(id, 'hello?')).toMatchObject({
      status: 409,
      json: { error: { code: 'session.ended', resume: `cd /w/app && claude --resume ${id}` } },
    });
  });

  it('listens again when it is resumed, in either order', async () => {
    const { id } = await idleSession();
    await hook(id, 'SessionEnd', { reason: 'other' });
    const waiter = wait(id, 'SessionStart');
    await hook(id, 'SessionStart', { source: 'resume' });
    await listens(id);
    await tell(id, 'welcome back');
    expect(await waiter.ended).toEqual({ status: 200, text: 'welcome back' });
  });

  it('that the operator hides keeps nothing', async () => {
    const { id, waiter } = await idleSession();
    await hook(id, 'UserPromptSubmit', { prompt: 'work' });
    await tell(id, 'never mind');
    await daemon.call('DELETE', `/api/sessions/${id}`);
    expect((await waiter.ended).status).toBe(204);
    expect((await tell(id, 'hello?')).status).toBe(404);
    await hook(id, 'Stop');
    expect(await statuses(id)).toEqual([['never mind', 'expired']]);
  });
});

it('hooks that are removed for good leave no waiter behind', async () => {
  const { waiter } = await idleSession();
  expect((await daemon.call('POST', '/api/hooks/remove', { body: {} })).status).toBe(200);
  expect(await waiter.ended).toEqual({ status: 204, text: '' });
});

describe('invalid requests', () => {
  it.each([
    ['an empty text', { text: '  ' }],
    ['no text', {}],
    ['a NUL', { text: 'a\u0000b' }],
    ['too long a text', { text: 'x'.repeat(50_001) }],
    ['a bad expiry', { text: 'x', expiresInSeconds: 0 }],
    ['an unknown field', { text: 'x', urgent: true }],
  ])('%s is refused', async (_what, body) => {
    const { id, waiter } = await idleSession();
    const { status, json } = await daemon.call('POST', `/api/sessions/${id}/prompt`, { body });
    expect([status, json.error.code]).toEqual([400, 'request.invalid']);
    waiter.hangUp();
  });

  it('an unknown session is 404', async () => {
    expect(await tell('nobody', 'hello')).toMatchObject({ status: 404, json: { error: { code: 'session.unknown' } } });
    expect((await daemon.call('GET', '/api/sessions/nobody/prompts')).status).toBe(404);
  });

  it('a waiter needs the hook token and a session id', async () => {
    const body = { session_id: 'x', hook_event_name: 'Stop' };
    expect((await daemon.call('POST', '/api/live/rewake', { token: false, body })).status).toBe(401);
    const headers = { 'x-groundcontrol-token': daemon.hookToken };
    expect((await daemon.call('POST', '/api/live/rewake', { token: false, headers, body: {} })).status).toBe(400);
  });
});

describe('after a restart', () => {
  it('delivers queued prompts in order, and none twice', async () => {
    const { id, waiter } = await idleSession();
    await tell(id, 'before');
    expect((await waiter.ended).text).toBe('before');
    await hook(id, 'UserPromptSubmit', { prompt: '<task-notification>' });
    await tell(id, 'during');
    await tell(id, 'after');
    const gone = newSession();
    await hook(gone, 'UserPromptSubmit', { prompt: 'work' });
    await tell(gone, 'lost');
    await daemon.call('DELETE', `/api/sessions/${gone}`);

    const { folder } = daemon;
    await daemon.stop();
    daemon = await startTestDaemon({ folder });
    expect((await daemon.session(id)).queuedPrompts).toBe(2);
    const first = wait(id);
    await hook(id, 'Stop');
    expect((await first.ended).text).toBe('during');
    const second = wait(id);
    await hook(id, 'UserPromptSubmit', { prompt: '<task-notification>' });
    await hook(id, 'Stop');
    expect((await second.ended).text).toBe('after');
    expect(await statuses(id)).toEqual([
      ['before', 'delivered'],
      ['during', 'delivered'],
      ['after', 'delivered'],
    ]);
  });
});
