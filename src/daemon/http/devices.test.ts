import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pair } from '../../../test/kit/pair.ts';
import { openSse } from '../../../test/kit/sse-client.ts';
import { startTestDaemon, type TestDaemon } from '../../../test/kit/test-daemon.ts';
import { waitFor } from '../../../test/kit/wait.ts';

let daemon: TestDaemon;
let admin: string;
let folder: string;
let own: string;
let other: string;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const call = (token: string, method: Method, path: string, body?: unknown) =>
  daemon.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const makeToken = async (body: { role: string; name: string; projects?: string[] }) =>
  (await call(admin, 'POST', '/api/tokens', body)).json as { token: string; device: { id: string } };
const prompt = (session_id: string, cwd: string) =>
  daemon.hook({ session_id, cwd, hook_event_name: 'UserPromptSubmit', prompt: `Work on ${session_id}` });
const ask = (session_id: string, cwd: string) =>
  daemon.hook({
    session_id,
    cwd,
    hook_event_name: 'PermissionRequest',
    tool_name: 'Bash',
    tool_input: { command: `touch ${session_id}` },
  });
const waiting = (sessionId: string) =>
  waitFor(
    async () =>
      (await call(admin, 'GET', `/api/approvals?status=pending&sessionId=${sessionId}`)).json.approvals[0] as
        | { id: string }
        | undefined,
    { what: `an approval of ${sessionId}` },
  );

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gc-devices-')));
  own = join(folder, 'own');
  other = join(folder, 'own-not');
  mkdirSync(own);
  mkdirSync(other);
  symlinkSync(other, join(own, 'link'));
  daemon = await startTestDaemon();
  admin = await pair(daemon.link());
  await call(admin, 'PUT', '/api/away', { away: true });
  await prompt('mine', own);
  await prompt('hidden', other);
});
afterAll(async () => {
  await daemon.dispose();
  rmSync(folder, { recursive: true, force: true });
});

describe('roles', () => {
  const MANAGE: [Method, string, unknown][] = [
    ['POST', '/api/links', { role: 'admin' }],
    ['POST', '/api/tokens', { role: 'admin', name: 'More' }],
    ['DELETE', '/api/devices/some', undefined],
    ['POST', '/api/pairings/some/confirm', {}],
    ['POST', '/api/callers/ABCDEF/confirm', {}],
    ['POST', '/api/remote/urls', { url: 'https://evil.example' }],
    ['PUT', '/api/remote/listener', {}],
    ['DELETE', '/api/remote', undefined],
    ['POST', '/api/hooks/remove', {}],
    ['PUT', '/api/prices', { prices: [] }],
    ['PUT', '/api/projects/strict', { path: '/w', strict: true }],
    ['POST', '/api/notify/channels', { name: 'x', target: { kind: 'desktop' } }],
    ['PUT', '/api/notify/settings', { contact: null, blind: [{ toolName: 'Bash' }] }],
  ];

  it.each(MANAGE)('refuses %s %s to an operator and to a viewer', async (method, path, body) => {
    const operator = await makeToken({ role: 'operator', name: 'Operator' });
    const viewer = await makeToken({ role: 'viewer', name: 'Viewer' });
    const refused = await call(operator.token, method, path, body);
    expect([refused.status, refused.json.error.code]).toEqual([403, 'access.not_admin']);
    const viewers = await call(viewer.token, method, path, body);
    expect([viewers.status, viewers.json.error.code]).toEqual([403, 'access.viewer']);
  });

  it('lets an operator act and a viewer only read', async () => {
    const operator = await makeToken({ role: 'operator', name: 'Operator' });
    const viewer = await makeToken({ role: 'viewer', name: 'Viewer' });
    expect((await call(operator.token, 'PATCH', '/api/sessions/mine', { title: 'Renamed' })).status).toBe(200);
    expect((await call(viewer.token, 'GET', '/api/sessions/mine')).json.title).toBe('Renamed');
    expect((await call(viewer.token, 'PATCH', '/api/sessions/mine', { title: 'No' })).status).toBe(403);
  });

  it('lets an operator change only the notifications of its own device', async () => {
    const { json } = await call(admin, 'POST', '/api/notify/channels', { name: 'x', target: { kind: 'bell' } });
    const operator = await makeToken({ role: 'operator', name: 'Operator' });
    const path = `/api/notify/channels/${json.channel.id}`;
    for (const [method, to, body] of [
      ['PATCH', path, { enabled: false }],
      ['DELETE', path, undefined],
      ['POST', `${path}/test`, {}],
    ] as const)
      expect((await call(operator.token, method, to, body)).json.error.code).toBe('channel.not_own');
    expect((await call(admin, 'DELETE', path)).status).toBe(204);
  });
});

describe('a device that is limited to projects', () => {
  let token: string;
  let deviceId: string;
  beforeAll(async () => {
    const made = await makeToken({ role: 'operator', name: 'Contractor', projects: [own] });
    token = made.token;
    deviceId = made.device.id;
  });

  it('cannot be an admin', async () => {
    const refused = await call(admin, 'POST', '/api/tokens', { role: 'admin', name: 'x', projects: [own] });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('an admin cannot be limited')]);
  });

  it('sees its own sessions, approvals and device', async () => {
    const { sessions } = (await call(token, 'GET', '/api/sessions')).json;
    expect(sessions.map(({ id }: { id: string }) => id)).toEqual(['mine']);
    const { devices } = (await call(token, 'GET', '/api/devices')).json;
    expect(devices.map(({ id }: { id: string }) => id)).toEqual([deviceId]);
    expect((await call(token, 'GET', '/api/sessions/mine')).status).toBe(200);
  });

  it('gets the same answer for a hidden session as for one that does not exist', async () => {
    for (const path of ['', '/events', '/timeline', '/messages', '/prompts', '/changes', '/export', '/processes']) {
      const hidden = await call(token, 'GET', `/api/sessions/hidden${path}`);
      expect([path, hidden.status]).toEqual([path, 404]);
      const absent = await call(token, 'GET', `/api/sessions/absent${path}`);
      expect(hidden.text.replaceAll('hidden', 'absent')).toBe(absent.text);
    }
    for (const [method, path, body] of [
      ['PATCH', '', { title: 'x' }],
      ['DELETE', '', undefined],
      ['POST', '/stop', { kill: true }],
      ['POST', '/prompt', { text: 'hello' }],
    ] as const)
      expect((await call(token, method, `/api/sessions/hidden${path}`, body)).status).toBe(404);
  });

  it('decides only its own approvals, and creates no rule from them', async () => {
    const [asksMine, asksHidden] = [ask('mine', own), ask('hidden', other)];
    const [mine, hidden] = [await waiting('mine'), await waiting('hidden')];
    const listed = (await call(token, 'GET', '/api/approvals?status=pending')).json.approvals;
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([mine.id]);
    expect((await call(token, 'GET', `/api/approvals/${hidden.id}`)).status).toBe(404);
    const decide = (id: string, body: object) => call(token, 'POST', `/api/approvals/${id}/decision`, body);
    expect((await decide(hidden.id, { decision: 'allow' })).status).toBe(404);
    const remember = {
      scope: 'global',
      pattern: { toolName: 'Bash', parameters: { command: '*' } },
      decision: 'allow',
      reason: '',
      priority: 0,
    };
    expect((await decide(mine.id, { decision: 'allow', remember })).json.error.code).toBe('access.limited');
    expect((await decide(mine.id, { decision: 'allow' })).status).toBe(200);
    expect((await asksMine).text).toContain('allow');
    await call(admin, 'POST', `/api/approvals/${hidden.id}/decision`, { decision: 'deny' });
    await asksHidden;
  });

  it("is refused everything that isn't specific to a project", async () => {
    const { paths } = (await call(admin, 'GET', '/api/openapi.json')).json as {
      paths: Record<string, Record<string, { parameters?: unknown }>>;
    };
    const reached: string[] = [];
    for (const [path, methods] of Object.entries(paths))
      for (const method of Object.keys(methods)) {
        // the stream has its own test, and doesn't end
        if (path === '/api/live/stream') continue;
        const address = path.replaceAll(/\{[^}]+\}/g, 'hidden');
        const answer = await call(token, method.toUpperCase() as Method, address, method === 'get' ? undefined : {});
        if (answer.status < 400) reached.push(`${method} ${path}`);
        expect(answer.text, `${method} ${path}`).not.toContain(other);
      }
    expect(reached.toSorted()).toEqual([
      'get /api/approval-timeout',
      'get /api/approvals',
      'get /api/away',
      'get /api/devices',
      'get /api/hold',
      'get /api/machines',
      'get /api/notify/channels',
      'get /api/notify/push-key',
      'get /api/passkeys',
      'get /api/sessions',
      'get /api/undo-window',
      'get /healthz',
    ]);
  });

  it('starts sessions in its projects only, and not through a link out of them', async () => {
    const start = (spec: object) => call(token, 'POST', '/api/sessions', { prompt: 'Say hello', ...spec });
    for (const spec of [
      {},
      { cwd: other },
      { cwd: join(own, 'link') },
      { cwd: join(own, '..', 'own-not') },
      { cwd: join(own, 'absent') },
    ])
      expect((await start(spec)).json.error.code).toBe('access.not_in_projects');
    for (const spec of [{ parentId: 'hidden' }, { after: ['hidden'] }, { sessionsDir: other }, { agentsDir: other }])
      expect((await start({ cwd: own, ...spec })).json.error.code).toBe('access.limited');
  });

  it('gets a stream and totals of its projects only', async () => {
    const stream = await openSse({ url: daemon.url, token, query: '?picture=whole' });
    await expect.poll(() => stream.messages.length).toBe(1);
    expect(stream.messages[0]?.data).toMatchObject({ totalCostTodayUsd: null, autonomousCount: expect.any(Number) });
    expect(stream.messages[0]?.data.sessions.map(({ id }: { id: string }) => id)).toEqual(['mine']);
    await prompt('hidden', other);
    await prompt('hidden-2', other);
    const asked = ask('hidden', other);
    const { id } = await waiting('hidden');
    await call(admin, 'POST', `/api/approvals/${id}/decision`, { decision: 'deny' });
    await asked;
    await call(admin, 'DELETE', '/api/sessions/hidden-2');
    await prompt('mine', own);
    await prompt('mine-2', own);
    await call(admin, 'DELETE', '/api/sessions/mine-2');
    await expect.poll(() => stream.messages.at(-1)?.event).toBe('session_removed');
    expect(JSON.stringify(stream.messages)).not.toContain('hidden');
    expect(stream.messages.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['session_updated', 'session_discovered', 'session_removed']),
    );
    const position = stream.messages.findLast((message) => message.id !== undefined)?.id ?? 0;
    stream.close();
    // what it missed is not replayed from a buffer that holds everybody's
    await prompt('hidden', other);
    const again = await openSse({ url: daemon.url, token, lastEventId: position - 1 });
    await expect.poll(() => again.messages.length).toBeGreaterThan(1);
    expect(JSON.stringify(again.messages)).not.toContain('hidden');
    again.close();
  });

  it('loses its stream within a second when it is revoked, and every later call is refused', async () => {
    const made = await makeToken({ role: 'operator', name: 'Lost phone', projects: [own] });
    const stream = await openSse({ url: daemon.url, token: made.token });
    const before = performance.now();
    expect((await call(admin, 'DELETE', `/api/devices/${made.device.id}`)).status).toBe(204);
    await expect.poll(() => stream.isClosed, { timeout: 1000 }).toBe(true);
    expect(performance.now() - before).toBeLessThan(1000);
    expect((await call(made.token, 'GET', '/api/sessions')).status).toBe(401);
  });
});
