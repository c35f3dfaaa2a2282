import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { type BrowserKey, makeBrowserKey } from '../../../test/kit/browser-key.ts';
import { pair } from '../../../test/kit/pair.ts';
import { openSse } from '../../../test/kit/sse-client.ts';
import { startTestDaemon, type TestDaemon } from '../../../test/kit/test-daemon.ts';
import { findListener } from '../drivers/terminal/keeper/orphaned-hooks.ts';

let daemon: TestDaemon;
let webDir: string;
/** The token of a script that was granted access. */
let operator: string;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gc-web-'));
  webDir = join(folder, 'web');
  mkdirSync(join(webDir, 'assets'), { recursive: true });
  writeFileSync(join(webDir, 'index.html'), '<!doctype html><head><title>Ground Control</title></head>');
  writeFileSync(join(webDir, 'assets', 'app-1234.js'), 'console.log(1)');
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  daemon = await startTestDaemon({ webDir });
  operator = await pair(daemon.link());
  await daemon.hook({ session_id: 's1', hook_event_name: 'UserPromptSubmit' });
});
afterAll(async () => {
  await daemon.dispose();
  rmSync(join(webDir, '..'), { recursive: true, force: true });
});

const run = async (at = daemon): Promise<string> =>
  (await at.call('GET', '/api/sessions', { token: false })).json.error.run;

/** A browser that opened the link. */
async function signIn({ key, link, at = daemon }: { key?: BrowserKey; link?: string; at?: TestDaemon } = {}) {
  const own = key ?? (await makeBrowserKey());
  const body = { code: new URL(link ?? at.link()).searchParams.get('code'), key: own.spki };
  const answer = await at.call('POST', '/api/pair', { token: false, body });
  const { device } = answer.json;
  return { answer, device, authorization: await own.authorization({ deviceId: device.id, run: await run(at) }) };
}

const code = async (answer: ReturnType<TestDaemon['call']>) => {
  const { status, json } = await answer;
  return `${status} ${json?.error?.code}`;
};

describe('a credential', () => {
  it.each([
    ['GET', '/api/sessions'],
    ['GET', '/api/sessions/s1'],
    ['GET', '/api/sessions/s1/events'],
    ['GET', '/api/live/stream'],
    ['GET', '/api/status'],
    ['GET', '/api/hooks'],
    ['GET', '/api/devices'],
    ['GET', '/api/openapi.json'],
    ['GET', '/sessions'],
    ['GET', '/api/nothing'],
    ['POST', '/api/hooks/install'],
    ['POST', '/api/links'],
    ['POST', '/api/live/hook'],
    ['POST', '/events'],
    ['DELETE', '/api/sessions/s1'],
  ])('is needed for %s %s', async (method, path) => {
    expect(await code(daemon.call(method, path, { token: false }))).toBe('401 access.no_credential');
    expect(await code(daemon.call(method, path, { token: 'wrong' }))).toBe('401 access.no_credential');
  });

  it('is not needed for the health check or the page itself', async () => {
    expect(await daemon.call('GET', '/healthz', { token: false })).toMatchObject({ status: 200, json: { ok: true } });
    expect((await daemon.call('GET', '/', { token: false })).text).toContain('Ground Control');
  });

  it('for hooks grants nothing else', async () => {
    const headers = { 'x-groundcontrol-token': daemon.hookToken };
    expect(await code(daemon.call('GET', '/api/sessions', { token: false, headers }))).toBe('401 access.no_credential');
    expect(await code(daemon.call('GET', '/api/sessions', { token: daemon.hookToken }))).toBe(
      '401 access.no_credential',
    );
  });

  it.each(['', 'x', 'a'.repeat(43), 'ü'.repeat(43)])('for hooks must be the right one, not %j', async (token) => {
    const headers = { 'x-groundcontrol-token': Buffer.from(token).toString('latin1') };
    const answer = await daemon.call('POST', '/api/live/hook', {
      token: false,
      headers,
      body: { session_id: 's', hook_event_name: 'Stop' },
    });
    expect(answer.status).toBe(401);
  });
});

describe('another site', () => {
  it('cannot post, even with a credential', async () => {
    const { authorization } = await signIn();
    const headers = { authorization, origin: 'https://evil.example' };
    expect(await code(daemon.call('DELETE', '/api/sessions/s1', { token: false, headers }))).toBe(
      '403 access.cross_site',
    );
    expect(
      await code(
        daemon.call('POST', '/api/live/hook', {
          token: false,
          headers: { ...headers, 'x-groundcontrol-token': daemon.hookToken },
        }),
      ),
    ).toBe('403 access.cross_site');
    for (const from of [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
      { origin: `http://localhost:${daemon.port + 1}` },
      { origin: `http://127.0.0.1:${daemon.port + 1}` },
    ]) {
      const answer = daemon.call('POST', '/api/links', { token: false, headers: { authorization, ...from } });
      expect(await code(answer)).toBe('403 access.cross_site');
    }
  });

  it('cannot read through a host name that it points at us', async () => {
    for (const host of [
      'evil.example',
      `evil.example:${daemon.port}`,
      '127.0.0.1',
      `127.0.0.1:${daemon.port + 1}`,
      `localhost.evil.example:${daemon.port}`,
    ]) {
      expect(await code(daemon.call('GET', '/api/sessions', { headers: { host } }))).toBe('403 access.wrong_host');
      expect((await daemon.call('GET', '/', { headers: { host } })).status).toBe(403);
    }
    expect((await daemon.call('GET', '/api/sessions', { headers: { host: `LOCALHOST:${daemon.port}` } })).status).toBe(
      200,
    );
  });

  it('may link to the page', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await daemon.call('GET', '/', { token: false, headers })).status).toBe(200);
  });

  it('cannot open a socket', async () => {
    const attempt = (headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${daemon.port}/ws`, { headers });
        socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
        socket.on('open', () => {
          socket.close();
          resolve(101);
        });
        socket.on('error', () => undefined);
      });
    const authorization = `Bearer ${daemon.localToken}`;
    expect(await attempt({})).toBe(401);
    expect(await attempt({ authorization, origin: 'https://evil.example' })).toBe(403);
    expect(await attempt({ authorization, host: 'evil.example' })).toBe(403);
    expect(await attempt({ authorization })).toBe(101);
  });
});

describe('a browser', () => {
  it('signs in once with a link, and then with its key, without a cookie', async () => {
    const link = daemon.link();
    const { authorization, answer } = await signIn({ link });
    expect(answer).toMatchObject({ status: 200, json: { device: { kind: 'browser', role: 'admin' } } });
    expect(answer.json.token).toBeUndefined();
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect((await daemon.call('GET', '/api/sessions', { token: false, headers: { authorization } })).status).toBe(200);
    const again = { code: new URL(link).searchParams.get('code'), key: (await makeBrowserKey()).spki };
    expect(await code(daemon.call('POST', '/api/pair', { token: false, body: again }))).toBe('403 access.bad_code');
  });

  it('is not signed in by a GET of its link, since not only people open links', async () => {
    const { pathname, search, searchParams } = new URL(daemon.link());
    const headers = { accept: 'text/html' };
    const page = await daemon.call('GET', pathname + search, { token: false, headers });
    expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(page.headers['set-cookie']).toBeUndefined();
    const body = { code: searchParams.get('code') };
    expect((await daemon.call('POST', '/api/pair', { token: false, body })).status).toBe(200);
  });

  it('learns what to sign from the page and from a refusal', async () => {
    const page = await daemon.call('GET', '/', { token: false });
    expect(page.text).toContain(`<meta name="groundcontrol-run" content="${await run()}">`);
  });

  it('that signs in again stays one device, with its new role', async () => {
    const key = await makeBrowserKey();
    const first = await signIn({ key });
    const { code: invitation } = (
      await daemon.call('POST', '/api/links', { token: operator, body: { role: 'viewer' } })
    ).json;
    const second = await daemon.call('POST', '/api/pair', { token: false, body: { code: invitation, key: key.spki } });
    expect(second.json.device).toMatchObject({ id: first.device.id, role: 'viewer' });
    const headers = { authorization: first.authorization };
    expect(await code(daemon.call('POST', '/api/links', { token: false, headers }))).toBe('403 access.viewer');
  });

  it('that is revoked loses access', async () => {
    const { authorization, device } = await signIn();
    const look = () => daemon.call('GET', '/api/sessions', { token: false, headers: { authorization } });
    expect((await look()).status).toBe(200);
    expect((await daemon.call('DELETE', `/api/devices/${device.id}`)).status).toBe(204);
    expect((await look()).status).toBe(401);
  });

  it('opens a socket with its proof as a protocol, which the response does not echo', async () => {
    const key = await makeBrowserKey();
    const { device } = await signIn({ key });
    const proof = await key.sign({ deviceId: device.id, run: await run() });
    const socket = new WebSocket(`ws://127.0.0.1:${daemon.port}/ws`, ['groundcontrol', `proof.${proof}`]);
    await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
    expect(socket.protocol).toBe('groundcontrol');
    socket.close();
  });

  it.each<[string, (about: { id: string; run: string; proof: string }) => string | Promise<string>]>([
    ['another run', async ({ id }) => (await makeBrowserKey()).sign({ deviceId: id, run: 'another' })],
    ['another key', async ({ id, run }) => (await makeBrowserKey()).sign({ deviceId: id, run })],
    ['another device', ({ proof }) => proof.replace(/^[^.]+/, 'local')],
    ['a device that does not exist', ({ proof }) => proof.replace(/^[^.]+/, 'nobody')],
    ['nothing', ({ id }) => `${id}.`],
    ['no device', ({ proof }) => proof.split('.')[1] ?? ''],
    ['half of it', ({ proof }) => proof.slice(0, -30)],
    ['more than it', ({ proof }) => `${proof}AA`],
    ['zeros', ({ id }) => `${id}.${Buffer.alloc(64).toString('base64url')}`],
  ])('is not recognized by a signature of %s', async (_what, forge) => {
    const key = await makeBrowserKey();
    const { device } = await signIn({ key });
    const about = { deviceId: device.id, run: await run() };
    const proof = await key.sign(about);
    const forged = await forge({ id: device.id, run: about.run, proof });
    const headers = { authorization: `Proof ${forged}` };
    expect(await code(daemon.call('GET', '/api/sessions', { token: false, headers }))).toBe('401 access.no_credential');
  });

  it.each(['', 'AAAA', Buffer.from('a key').toString('base64url')])('needs a key, not %j', async (key) => {
    const body = { code: new URL(daemon.link()).searchParams.get('code'), key };
    expect((await daemon.call('POST', '/api/pair', { token: false, body })).status).toBe(400);
  });

  it('is unknown at another port: whatever listens there now could have used its key', async () => {
    const key = await makeBrowserKey();
    const { device } = await signIn({ key });
    const folder = mkdtempSync(join(tmpdir(), 'gc-moved-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const first = await startTestDaemon({ folder });
    const moved = (await signIn({ key, at: first })).device;
    await first.stop();
    const second = await startTestDaemon({ folder });
    onTestFinished(() => second.stop());
    expect(second.port).not.toBe(first.port);
    const authorization = await key.authorization({ deviceId: moved.id, run: await run(second) });
    expect((await second.call('GET', '/api/devices')).json.devices).toContainEqual(
      expect.objectContaining({ id: moved.id }),
    );
    expect((await second.call('GET', '/api/devices', { token: false, headers: { authorization } })).status).toBe(401);
    expect(device.id).not.toBe(moved.id);
  });
});

describe('a link', () => {
  it('can be given as a code, and refused', async () => {
    const { code: invitation } = (
      await daemon.call('POST', '/api/links', { token: operator, body: { role: 'viewer', name: 'Wall' } })
    ).json;
    const { json } = await daemon.call('POST', '/api/pair', { token: false, body: { code: invitation } });
    expect(json.device).toMatchObject({ name: 'Wall', role: 'viewer' });
    expect(await code(daemon.call('POST', '/api/pair', { token: false, body: { code: invitation } }))).toBe(
      '403 access.bad_code',
    );
    expect(await code(daemon.call('POST', '/api/pair', { token: false, body: {} }))).toBe('400 request.invalid');
  });

  it('creates a viewer who sees everything and cannot act, until revoked', async () => {
    const { code: invitation } = (
      await daemon.call('POST', '/api/links', { token: operator, body: { role: 'viewer' } })
    ).json;
    const { token, device } = (await daemon.call('POST', '/api/pair', { token: false, body: { code: invitation } }))
      .json;
    expect((await daemon.call('GET', '/api/sessions', { token })).status).toBe(200);
    expect(await code(daemon.call('DELETE', '/api/sessions/s1', { token }))).toBe('403 access.viewer');
    expect(await code(daemon.call('POST', '/api/links', { token }))).toBe('403 access.viewer');
    expect(await code(daemon.call('POST', '/events', { token, body: {} }))).toBe('403 access.viewer');
    expect((await daemon.call('DELETE', `/api/devices/${device.id}`)).status).toBe(204);
    expect(await code(daemon.call('GET', '/api/sessions', { token }))).toBe('401 access.no_credential');
    expect(await code(daemon.call('DELETE', '/api/devices/local'))).toBe('400 device.is_local');
  });

  it('closes only that device’s connections when revoked', async () => {
    const { code: invitation } = (
      await daemon.call('POST', '/api/links', { token: operator, body: { role: 'viewer' } })
    ).json;
    const { token, device } = (await daemon.call('POST', '/api/pair', { token: false, body: { code: invitation } }))
      .json;
    const [theirs, ours] = await Promise.all([
      openSse({ url: daemon.url, token }),
      openSse({ url: daemon.url, token: daemon.localToken }),
    ]);
    const socket = new WebSocket(`ws://127.0.0.1:${daemon.port}/ws`, { headers: { authorization: `Bearer ${token}` } });
    await new Promise((resolve) => socket.on('open', resolve));
    await daemon.call('DELETE', `/api/devices/${device.id}`);
    await expect.poll(() => [theirs.isClosed, socket.readyState]).toEqual([true, WebSocket.CLOSED]);
    await daemon.hook({ session_id: 's1', hook_event_name: 'Stop' });
    await expect.poll(() => ours.messages.at(-1)).toMatchObject({ data: { id: 's1' } });
    expect(ours.isClosed).toBe(false);
    expect((await daemon.call('GET', '/api/status')).json.streamClients).toBe(1);
    ours.close();
  });
});

describe('static files', () => {
  it('are served with a policy that blocks outside scripts', async () => {
    const page = await daemon.call('GET', '/', { token: false });
    expect(page.headers).toMatchObject({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' });
    expect(page.headers['content-security-policy']).toContain("default-src 'self'");
    expect((await daemon.call('GET', '/assets/app-1234.js', { token: false })).headers['cache-control']).toContain(
      'immutable',
    );
    expect(
      (await daemon.call('GET', '/', { token: false, headers: { 'if-none-match': String(page.headers.etag) } })).status,
    ).toBe(304);
  });

  it.each(['/history', '/sessions/7f3a', '/sessions/7f3a?tab=timeline'])(
    'are the app at %s, for a browser',
    async (path) => {
      const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
      const page = await daemon.call('GET', path, { token: false, headers });
      expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
      expect(page.headers['content-security-policy']).toContain("default-src 'self'");
      // a script asks for what is known of the session, and that takes a credential
      if (path !== '/history') expect((await daemon.call('GET', path, { token: false })).status).toBe(401);
    },
  );

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/../../secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '//etc/passwd',
    '/etc/passwd',
    '/%00',
    '/assets/',
    '/index.html%00.js',
    '/.%2e/secret.txt',
    '/%',
    '/%ff',
  ])('do not expose %s', async (path) => {
    // raw, since a URL class would tidy the path before it is sent
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(daemon.port, '127.0.0.1', () =>
        socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${daemon.port}\r\nConnection: close\r\n\r\n`),
      );
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.on('close', () => resolve(received));
      socket.on('error', reject);
    });
    expect(text).toMatch(/^HTTP\/1\.1 40[04]/);
    expect(text).not.toContain('root:');
    expect(text).not.toMatch(/\bsecret\n?$/);
  });
});

it('never mistakes a live daemon for another program on its port', async () => {
  const port = Number(new URL(daemon.url).port);
  expect(await findListener([{ port }])).toBe(port);
});
