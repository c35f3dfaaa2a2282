import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { pair } from '../../../test/kit/pair.ts';
import { startTestDaemon, type TestDaemon } from '../../../test/kit/test-daemon.ts';

let daemon: TestDaemon;
let admin: string;
let webDir: string;

beforeAll(async () => {
  webDir = mkdtempSync(join(tmpdir(), 'gc-web-'));
  mkdirSync(join(webDir, 'assets'));
  writeFileSync(
    join(webDir, 'index.html'),
    '<html><head><link href="./theme.js"></head><script src="./assets/a.js"></script><a href="./x">',
  );
  writeFileSync(join(webDir, 'assets', 'a.js'), 'a');
  daemon = await startTestDaemon({ webDir });
  admin = await pair(daemon.link());
});
afterAll(async () => {
  await daemon.dispose();
  rmSync(webDir, { recursive: true, force: true });
});

const add = (url: string, trustedProxies?: string[]) =>
  daemon.call('POST', '/api/remote/urls', {
    token: admin,
    body: { url, ...(trustedProxies ? { trustedProxies } : {}) },
  });
const get = (path: string, headers: Record<string, string>, token: string | false = false) =>
  daemon.call('GET', path, { token, headers });

describe('below a path', () => {
  const host = 'shared.example';
  beforeEach(async () => {
    expect((await add('https://shared.example/gc/')).json.urls[0]).toBe('https://shared.example/gc');
  });

  it('serves page, files and API, whether the proxy takes the path off or not', async () => {
    for (const path of ['/gc', '/gc/', '/gc?x=1', '/', '/gc/settings', '/gc/sessions/7', '/settings']) {
      const { status, text } = await get(path, { host, accept: 'text/html' });
      expect([path, status]).toEqual([path, 200]);
      expect(text).toContain('href="/gc/theme.js"');
      expect(text).toContain('src="/gc/assets/a.js"');
      expect(text).toContain('<meta name="groundcontrol-base" content="/gc">');
    }
    expect((await get('/gc/assets/a.js', { host })).text).toBe('a');
    expect((await get('/gc/healthz', { host })).status).toBe(200);
    expect((await get('/gc/api/sessions', { host }, admin)).status).toBe(200);
    expect((await get('/gc/api/sessions', { host })).status).toBe(401);
  });

  it('leaves the page on this machine at its root', async () => {
    const { text } = await get('/', { accept: 'text/html' });
    expect(text).toContain('src="/assets/a.js"');
    expect((await get('/gc/api/sessions', {}, admin)).status).toBe(404);
  });

  it('names the path in pairing links', async () => {
    const { json } = await daemon.call('POST', '/api/links', { token: admin, body: { remote: true } });
    expect(json.url).toMatch(/^https:\/\/shared\.example\/gc\/pair#code=/);
  });

  it.each([
    '/gc/../api/sessions',
    '/gc//api/sessions',
    '//gc/api/sessions',
    '/gc/gc/api/sessions',
    '/GC/api/sessions',
    '/%67c/api/sessions',
    '/gcx/api/sessions',
    '/gc%2fapi/sessions',
    '/gc/./api/sessions',
    '/gc;/api/sessions',
    '/gc\\api\\sessions',
  ])('finds nothing at %s', async (path) => {
    const { status } = await get(path, { host }, admin);
    expect(status).toBe(404);
  });

  it('checks a request below the path as strictly as any other', async () => {
    const foreign = { host, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const post = (headers: Record<string, string>) =>
      daemon.call('POST', '/gc/api/pair', { token: false, headers, body: { code: 'x' } });
    expect((await post(foreign)).json.error.code).toBe('access.cross_site');
    expect((await post({ host, origin: 'https://shared.example' })).json.error.code).toBe('access.bad_code');
    expect((await post({ host: 'shared.example.evil.example' })).json.error.code).toBe('access.wrong_host');
  });

  it('opens the WebSocket there', async () => {
    const open = (path: string) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${daemon.port}${path}`, {
          headers: { host, authorization: `Bearer ${admin}` },
        });
        socket.on('message', (data) => {
          resolve(JSON.parse(String(data)).type as string);
          socket.close();
        });
        socket.on('error', (error) => resolve(error.message));
      });
    expect(await open('/gc/ws')).toBe('init');
    expect(await open('/gcc/ws')).toMatch(/404/);
  });

  it.each([
    'https://x.example/api',
    'https://x.example/settings/',
    'https://x.example/a b',
    'https://x.example/a?b=1',
    'https://x.example/a/b/c/d',
    'https://me:pw@x.example/gc',
    'https://x.example/a%2fb',
    'https://x.example/gc#x',
  ])('refuses %s as an address', async (url) => {
    expect((await add(url)).status).toBe(400);
  });

  it('keeps one path for each host', async () => {
    const { json } = await add('https://shared.example/other');
    expect(json.urls.filter((url: string) => url.includes('shared.example'))).toEqual(['https://shared.example/other']);
  });
});

describe('X-Forwarded headers', () => {
  const forwarded = {
    'x-forwarded-host': 'tower.example',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '203.0.113.9',
  };
  const inner = { host: 'groundcontrol.internal:8080', ...forwarded };

  it('are ignored from everyone by default', async () => {
    await add('https://tower.example', []);
    const refused = await get('/healthz', inner);
    expect(refused.json.error.code).toBe('access.wrong_host');
    const lying = { ...forwarded, 'x-forwarded-host': 'evil.example', host: 'tower.example' };
    expect((await get('/healthz', lying)).status).toBe(200);
  });

  it('are ignored from a peer that is not the trusted one', async () => {
    await add('https://tower.example', ['10.0.0.2', '192.168.0.0/16', 'fd00::/8']);
    expect((await get('/healthz', inner)).json.error.code).toBe('access.wrong_host');
  });

  describe('from a trusted proxy', () => {
    beforeEach(() => add('https://tower.example/gc', ['127.0.0.0/8']));

    it('say which address was asked for, and who asked', async () => {
      expect((await get('/gc/healthz', inner)).status).toBe(200);
      const { json: link } = await daemon.call('POST', '/api/links', { token: admin, body: { remote: true } });
      const asked = await daemon.call('POST', '/api/pair', { token: false, headers: inner, body: { code: link.code } });
      expect(asked.json.pairing.match).toBeDefined();
      const audit = await daemon.call('GET', '/api/audit?action=access.pairing&order=newest', { token: admin });
      expect(audit.json.entries[0].detail).toContain('at 203.0.113.9 shows');
    });

    it.each([
      ['another host', { 'x-forwarded-host': 'evil.example' }, 'access.wrong_host'],
      ['a host with a user', { 'x-forwarded-host': 'x@tower.example' }, 'access.wrong_host'],
      [
        'two hosts, the last of which it added',
        { 'x-forwarded-host': 'tower.example, evil.example' },
        'access.wrong_host',
      ],
      ['plain http', { 'x-forwarded-proto': 'http' }, 'access.plain_http'],
      ['https before plain http', { 'x-forwarded-proto': 'https, http' }, 'access.plain_http'],
    ])('are refused with %s', async (_what, headers, code) => {
      const refused = await get('/healthz', { ...inner, ...headers });
      expect({ status: refused.status, code: refused.json.error.code }).toEqual({ status: 403, code });
    });

    it('decide nothing about who may act: a forged address is still a stranger', async () => {
      for (const address of ['127.0.0.1', '::1', 'localhost', '<script>', 'x'.repeat(5000)]) {
        const headers = { ...inner, 'x-forwarded-for': address };
        expect((await get('/api/sessions', headers)).status).toBe(401);
      }
    });

    it('are forgotten with remote access', async () => {
      const { json } = await daemon.call('DELETE', '/api/remote', { token: admin });
      expect(json.trustedProxies).toEqual([]);
      expect((await get('/healthz', inner)).json.error.code).toBe('access.wrong_host');
    });
  });

  it.each(['tower', '10.0.0.0/33', '10.0.0.999', '*', '0x7f.1', ''])('trusts no proxy called %j', async (address) => {
    expect((await add('https://tower.example', [address])).status).toBe(400);
  });
});
