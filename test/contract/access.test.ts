import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openSse } from '../kit/sse-client.ts';
import { startTestDaemon, type TestDaemon } from '../kit/test-daemon.ts';

let daemon: TestDaemon;
let webDir: string;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gc-web-'));
  webDir = join(folder, 'web');
  mkdirSync(join(webDir, 'assets'), { recursive: true });
  writeFileSync(join(webDir, 'index.html'), '<!doctype html><title>Ground Control</title>');
  writeFileSync(join(webDir, 'assets', 'app-1234.js'), 'console.log(1)');
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  daemon = await startTestDaemon({ webDir });
  await daemon.hook({ session_id: 's1', hook_event_name: 'UserPromptSubmit' });
});
afterAll(async () => {
  await daemon.dispose();
  rmSync(join(webDir, '..'), { recursive: true, force: true });
});

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

  it('is not needed to ask whether anyone is there, nor for the page itself', async () => {
    expect(await daemon.call('GET', '/healthz', { token: false })).toMatchObject({ status: 200, json: { ok: true } });
    expect((await daemon.call('GET', '/', { token: false })).text).toContain('Ground Control');
  });

  it('for hooks opens nothing else', async () => {
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
  it('cannot post, even with the cookie', async () => {
    const cookie =
      (
        await daemon.call('GET', new URL(daemon.link()).pathname + new URL(daemon.link()).search, { token: false })
      ).headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const headers = { cookie, origin: 'https://evil.example' };
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
    expect(
      await code(
        daemon.call('POST', '/api/links', { token: false, headers: { cookie, 'sec-fetch-site': 'cross-site' } }),
      ),
    ).toBe('403 access.cross_site');
    expect(await code(daemon.call('POST', '/api/links', { token: false, headers: { cookie, origin: 'null' } }))).toBe(
      '403 access.cross_site',
    );
    expect(
      await code(
        daemon.call('POST', '/api/links', {
          token: false,
          headers: { cookie, origin: `http://localhost:${daemon.port + 1}` },
        }),
      ),
    ).toBe('403 access.cross_site');
  });

  it('cannot read by a name that it points at us', async () => {
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

describe('a link', () => {
  const pair = async (link: string) =>
    daemon.call('GET', new URL(link).pathname + new URL(link).search, { token: false });

  it('lets one browser in, once, by a cookie that no script can read', async () => {
    const link = daemon.link();
    const first = await pair(link);
    expect(first).toMatchObject({ status: 303, headers: { location: '/' } });
    const [cookie = ''] = first.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
    expect(
      (await daemon.call('GET', '/api/sessions', { token: false, headers: { cookie: cookie.split(';')[0] ?? '' } }))
        .status,
    ).toBe(200);
    expect(await pair(link)).toMatchObject({ status: 303, headers: { location: '/?pair=failed' } });
  });

  it('can be given as a code, and refused', async () => {
    const { code: invitation } = (await daemon.call('POST', '/api/links', { body: { role: 'viewer', name: 'Wall' } }))
      .json;
    const { json } = await daemon.call('POST', '/api/pair', { token: false, body: { code: invitation } });
    expect(json.device).toMatchObject({ name: 'Wall', role: 'viewer' });
    expect(await code(daemon.call('POST', '/api/pair', { token: false, body: { code: invitation } }))).toBe(
      '403 access.bad_code',
    );
    expect(await code(daemon.call('POST', '/api/pair', { token: false, body: {} }))).toBe('400 request.invalid');
  });

  it('makes a viewer who looks and cannot act, until revoked', async () => {
    const { code: invitation } = (await daemon.call('POST', '/api/links', { body: { role: 'viewer' } })).json;
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

  it('once revoked cuts what its device has open, and nobody else', async () => {
    const { code: invitation } = (await daemon.call('POST', '/api/links', { body: { role: 'viewer' } })).json;
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
  it('are served with a policy that runs nothing from elsewhere', async () => {
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
  ])('do not give %s away', async (path) => {
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
