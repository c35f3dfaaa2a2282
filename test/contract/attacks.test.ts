import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type BrowserKey, makeBrowserKey } from '../kit/browser-key.ts';
import { listenOnLoopback } from '../kit/loopback-server.ts';
import { pair } from '../kit/pair.ts';
import { sendRaw, statuses } from '../kit/raw-http.ts';
import { startTestDaemon, type TestDaemon } from '../kit/test-daemon.ts';
import { waitFor } from '../kit/wait.ts';

/* The attacks on the daemon's HTTP interface, one test each. docs/security.md lists the tests for the rest. */

let daemon: TestDaemon;
let folder: string;
let admin: string;
let viewer: string;
let inside: Awaited<ReturnType<typeof listenOnLoopback>>;
/** Requests that reached a local server that must not be reachable from outside. */
let reached: string[] = [];

const SECRET = 'top-secret-file';
const SCRIPT = '<img src=x onerror=alert(1)><script>alert(1)</script>';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gc-attacks-'));
  const webDir = join(folder, 'web');
  mkdirSync(join(webDir, 'assets'), { recursive: true });
  writeFileSync(join(webDir, 'index.html'), '<!doctype html><head><title>Ground Control</title></head>');
  writeFileSync(join(webDir, 'assets', 'app.js'), 'console.log(1)');
  writeFileSync(join(folder, 'secret.txt'), SECRET);
  inside = await listenOnLoopback((request, response) => {
    reached.push(`${request.method} ${request.url}`);
    response.writeHead(302, { location: '/again' }).end();
  });
  daemon = await startTestDaemon({ webDir });
  admin = await pair(daemon.link());
  const { json } = await daemon.call('POST', '/api/tokens', { token: admin, body: { role: 'viewer', name: 'Viewer' } });
  viewer = json.token;
  await daemon.hook({ session_id: 's1', cwd: '/work/app', hook_event_name: 'UserPromptSubmit', prompt: 'Work' });
});
afterAll(async () => {
  await daemon.dispose();
  await inside.close();
  rmSync(folder, { recursive: true, force: true });
});

type Call = Parameters<TestDaemon['call']>;
const call = (method: Call[0], path: Call[1], options: Call[2] = {}) =>
  daemon.call(method, path, { token: admin, ...options });
const raw = (head: string, body = '') =>
  sendRaw(daemon.port, `${head.replaceAll('PORT', String(daemon.port))}\r\n${body}`);
const AUTH = () => `Authorization: Bearer ${admin}\r\n`;
const HOST = 'Host: 127.0.0.1:PORT\r\n';

describe('DNS rebinding', () => {
  it.each([
    'evil.example',
    'evil.example:PORT',
    '127.0.0.1',
    '127.0.0.1:1',
    'localhost.evil.example:PORT',
    'localhost:PORT.evil.example',
    '127.0.0.1:PORT@evil.example',
    '0.0.0.0:PORT',
    '[::ffff:127.0.0.1]:PORT',
    '127.1:PORT',
    '2130706433:PORT',
    'localhost.:PORT',
  ])('is refused: Host %s', async (host) => {
    const headers = { host: host.replace('PORT', String(daemon.port)) };
    for (const path of ['/', '/api/sessions', '/healthz'])
      expect((await call('GET', path, { headers })).status).toBe(403);
  });

  it('is refused without a Host, and with two', async () => {
    expect(statuses(await raw(`GET /api/sessions HTTP/1.1\r\n${AUTH()}`))[0]).toBeGreaterThanOrEqual(400);
    const two = await raw(`GET /api/sessions HTTP/1.1\r\n${HOST}Host: evil.example\r\n${AUTH()}`);
    expect(statuses(two)[0]).toBeGreaterThanOrEqual(400);
  });

  it('is refused with an absolute address in the request line', async () => {
    const answer = await raw(`GET http://evil.example/api/sessions HTTP/1.1\r\nHost: evil.example\r\n${AUTH()}`);
    expect(statuses(answer)).toEqual([403]);
  });
});

describe('another site', () => {
  const EVIL = { origin: 'https://evil.example' };
  it.each([
    ['fetch with its origin', 'DELETE', EVIL],
    ['fetch from a sandboxed frame', 'DELETE', { origin: 'null' }],
    ['fetch from a file', 'DELETE', { origin: 'file://' }],
    ['fetch from another port', 'DELETE', { origin: 'http://127.0.0.1:1' }],
    ['fetch from https on our port', 'DELETE', { origin: 'https://127.0.0.1:PORT' }],
    ['an image or script tag', 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['a page on another port of this host', 'GET', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
    ['a form that navigates', 'POST', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', ...EVIL }],
    ['an EventSource', 'GET', { accept: 'text/event-stream', ...EVIL }],
  ])('cannot use a credential: %s', async (_name, method, headers) => {
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', String(daemon.port))]),
    );
    const answer = await call(method, '/api/sessions/s1', { headers: sent });
    expect([answer.status, answer.json.error.code]).toEqual([403, 'access.cross_site']);
    expect((await daemon.session('s1')).id).toBe('s1');
  });

  it.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x', ''])(
    'cannot post a form as %j',
    async (type) => {
      const body = Buffer.from('{"decision":"allow"}');
      const answer = await call('POST', '/api/links', { headers: { 'content-type': type }, body });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    },
  );

  it('gets no permission from a preflight', async () => {
    const headers = { ...EVIL, 'access-control-request-method': 'DELETE' };
    const answer = await call('OPTIONS', '/api/sessions/s1', { headers });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('cannot override the method with a header', async () => {
    await call('POST', '/api/sessions/s1', { headers: { 'x-http-method-override': 'DELETE' }, body: {} });
    await call('GET', '/api/sessions/s1?_method=DELETE');
    expect((await daemon.session('s1')).id).toBe('s1');
  });

  it.each([EVIL, { host: 'evil.example' }, { origin: 'null' }])('cannot open a WebSocket with %j', async (headers) => {
    const status = await new Promise<number | undefined>((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${daemon.port}/ws`, {
        headers: { authorization: `Bearer ${admin}`, ...(headers as Record<string, string>) },
      });
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
      socket.on('open', () => resolve(101));
      socket.on('error', () => undefined);
    });
    expect(status).toBe(403);
  });

  it('cannot frame, sniff or embed an answer', async () => {
    for (const path of ['/api/sessions', '/api/absent', '/healthz']) {
      const { headers } = await call('GET', path);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      });
    }
    const page = await call('GET', '/');
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.headers['content-security-policy']).not.toContain('unsafe');
  });
});

describe('a credential in the wrong place', () => {
  it.each([
    ['a cookie', () => ({ headers: { cookie: `token=${admin}; groundcontrol=${admin}` } })],
    [
      'basic authentication',
      () => ({ headers: { authorization: `Basic ${Buffer.from(`x:${admin}`).toString('base64')}` } }),
    ],
    ['a token in the address', () => ({ path: `/api/sessions?token=${admin}&access_token=${admin}` })],
    ['a custom header', () => ({ headers: { 'x-api-key': admin } })],
    ['two schemes in one header', () => ({ headers: { authorization: `Basic x, Bearer ${admin}` } })],
    [
      'a forged tunnel identity',
      () => ({ headers: { 'tailscale-user-login': 'me@example.com', 'x-forwarded-for': '127.0.0.1' } }),
    ],
    [
      'a forged proxy identity',
      () => ({ headers: { 'cf-access-authenticated-user-email': 'me@example.com', 'x-forwarded-host': 'localhost' } }),
    ],
    ['the hook token', () => ({ headers: { authorization: `Bearer ${daemon.hookToken}` } })],
  ])('signs nobody in: %s', async (_name, make) => {
    const { path = '/api/sessions', headers = {} } = make() as { path?: string; headers?: Record<string, string> };
    expect((await call('GET', path, { token: false, headers })).status).toBe(401);
  });
});

describe('a guessed credential', () => {
  it.each([
    ['half of it', () => admin.slice(0, 20)],
    ['with something added', () => `${admin}A`],
    ['in lower case', () => admin.toLowerCase()],
    ['empty', () => ''],
    ['a megabyte', () => 'A'.repeat(8000)],
    ['SQL', () => "'OR'1'='1"],
    ['a property of every object', () => '__proto__'],
    ['the id of the device', () => 'local'],
  ])('signs nobody in: %s', async (_name, make) => {
    expect(
      (await call('GET', '/api/sessions', { token: false, headers: { authorization: `Bearer ${make()}` } })).status,
    ).toBe(401);
  });

  async function browser(): Promise<{ key: BrowserKey; deviceId: string; run: string }> {
    const key = await makeBrowserKey();
    const code = new URL(daemon.link()).searchParams.get('code');
    const { json } = await call('POST', '/api/pair', { token: false, body: { code, key: key.spki } });
    const { run } = (await call('GET', '/api/sessions', { token: false })).json.error;
    return { key, deviceId: json.device.id, run };
  }
  const withProof = async (authorization: string) =>
    (await call('GET', '/api/sessions', { token: false, headers: { authorization } })).status;

  it('needs the key of that device, for this run', async () => {
    const [own, other] = [await browser(), await browser()];
    expect(await withProof(await own.key.authorization(own))).toBe(200);
    expect(await withProof(await own.key.authorization({ ...own, deviceId: other.deviceId }))).toBe(401);
    expect(await withProof(await own.key.authorization({ ...own, run: 'another-run' }))).toBe(401);
    expect(await withProof(await own.key.authorization({ ...own, deviceId: 'local' }))).toBe(401);
    const proof = await own.key.authorization(own);
    expect(await withProof(`${proof.slice(0, -4)}AAAA`)).toBe(401);
    expect(await withProof(proof.split('.')[0]!)).toBe(401);
  });

  it('a link works once', async () => {
    const code = new URL(daemon.link()).searchParams.get('code');
    const use = () => call('POST', '/api/pair', { token: false, body: { code } });
    expect((await use()).status).toBe(200);
    expect((await use()).json.error.code).toBe('access.bad_code');
  });

  it('of two browsers that use a link at once, only one is signed in', async () => {
    const code = new URL(daemon.link()).searchParams.get('code');
    const use = () => call('POST', '/api/pair', { token: false, body: { code } });
    const answers = await Promise.all(Array.from({ length: 10 }, use));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it.each(['', 'x', '__proto__', 'A'.repeat(100)])('a link cannot be guessed as %j', async (code) => {
    const answer = await call('POST', '/api/pair', { token: false, body: { code } });
    expect([400, 403]).toContain(answer.status);
  });

  it('a viewer cannot gain more rights', async () => {
    for (const [method, path, body] of [
      ['POST', '/api/links', { role: 'admin' }],
      ['POST', '/api/tokens', { role: 'admin', name: 'x' }],
      ['POST', '/api/rules', { pattern: { toolName: '*' }, decision: 'allow' }],
      ['PUT', '/api/away', { away: true }],
      ['PUT', '/api/notify/push', { endpoint: 'https://fcm.googleapis.com/x', keys: { p256dh: 'AA', auth: 'AA' } }],
    ] as const)
      expect((await call(method, path, { token: viewer, body })).status).toBe(403);
  });
});

describe('path traversal', () => {
  it.each([
    '/../secret.txt',
    '/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/assets/....//....//secret.txt',
    '//etc/passwd',
    '/assets/%00/../../secret.txt',
    '/assets/app.js%00.html',
    '/%c0%ae%c0%ae/secret.txt',
    '/assets/app.js/../../../secret.txt',
  ])('reads no file: %s', async (path) => {
    const answer = await sendRaw(
      daemon.port,
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${daemon.port}\r\nAccept: */*\r\n\r\n`,
    );
    expect(answer).not.toContain(SECRET);
    expect(answer).not.toContain('root:');
    expect(statuses(answer)[0]).toBeLessThan(500);
  });

  it.each(['..%2f..%2fdevices', '..', '%2e%2e%2fstatus', 's1%2f..%2f..%2fstatus', 's1%00'])(
    'reaches no other route through an id: %s',
    async (id) => {
      const answer = await call('GET', `/api/sessions/${id}`);
      expect([400, 404]).toContain(answer.status);
    },
  );

  it.each(['..', '../x', '..%2fx', '%2fetc%2fpasswd', 'a%00b'])(
    'writes no blueprint outside its folder: %s',
    async (name) => {
      const body = { scope: 'user', text: '---\nname: x\n---\nHello' };
      const answer = await call('PUT', `/api/agents/${name}`, { body });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    },
  );
});

describe('request smuggling', () => {
  const SMUGGLED = 'DELETE /api/sessions/s1 HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n';
  it.each([
    ['both lengths', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n'],
    ['two lengths', 'Content-Length: 0\r\nContent-Length: 100\r\n'],
    ['a length with a sign', 'Content-Length: +5\r\n'],
    ['a length in hex', 'Content-Length: 0x10\r\n'],
    ['an unknown coding', 'Transfer-Encoding: xchunked\r\n'],
    ['a coding after a space', 'Transfer-Encoding : chunked\r\n'],
    ['a folded header', 'Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n'],
    ['a bare line feed', 'X: y\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n'],
    ['a NUL in a header', 'X: a\0b\r\nContent-Length: 0\r\n'],
  ])('is refused: %s', async (_name, headers) => {
    const second = SMUGGLED.replace('PORT', String(daemon.port)) + AUTH();
    const answer = await raw(
      `POST /api/links HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n${headers}`,
      `0\r\n\r\n${second}\r\n`,
    );
    expect(statuses(answer)[0]).toBeGreaterThanOrEqual(400);
    expect(statuses(answer)[0]).toBeLessThan(500);
    expect((await daemon.session('s1')).id).toBe('s1');
  });

  it.each([
    ['a header of 64 KB', `X: ${'a'.repeat(65_536)}\r\n`],
    ['5,000 headers', 'X: y\r\n'.repeat(5000)],
    ['an address of 64 KB', ''],
  ])('is cut off: %s', async (name, headers) => {
    const path = name.startsWith('an address') ? `/${'a'.repeat(65_536)}` : '/healthz';
    const [status = 0] = statuses(await raw(`GET ${path} HTTP/1.1\r\n${HOST}${headers}`));
    expect(status).toBeGreaterThanOrEqual(400);
    expect((await call('GET', '/healthz')).status).toBe(200);
  });
});

describe('a hostile body', () => {
  const deep = (depth: number) => `{"role":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  it.each([
    ['two megabytes', () => `{"role":"${'a'.repeat(2_000_000)}"}`],
    ['100,000 levels', () => deep(100_000)],
    [
      'a million keys',
      () => JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`k${n}`, 1]))),
    ],
    ['a prototype', () => '{"__proto__":{"polluted":true},"role":"viewer"}'],
    ['a constructor', () => '{"constructor":{"prototype":{"polluted":true}},"role":"viewer"}'],
    ['broken UTF-8', () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['half of it', () => '{"role":"vie'],
    ['a number that is none', () => '{"role":1e999}'],
    ['a list', () => '[{"role":"viewer"}]'],
    ['nothing', () => ''],
  ])('is refused: %s', async (_name, make) => {
    const answer = await call('POST', '/api/links', { body: Buffer.from(make()) });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('pollutes nothing through a hook', async () => {
    const body = Buffer.from(
      '{"session_id":"__proto__","hook_event_name":"PreToolUse","tool_name":"constructor","tool_input":{"__proto__":{"polluted":true}},"__proto__":{"polluted":true}}',
    );
    const answer = await call('POST', '/api/live/hook', {
      token: false,
      headers: { 'x-groundcontrol-token': daemon.hookToken },
      body,
    });
    expect(answer.status).toBeLessThan(500);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('an expensive pattern', () => {
  const long = `${'a'.repeat(5000)}!`;
  it.each([
    [
      'a rule',
      'POST',
      '/api/rules/test',
      {
        toolName: 'Bash',
        toolInput: { command: long },
        also: { pattern: { toolName: 'Bash', parameters: { command: `${'*a'.repeat(100)}*b` } }, decision: 'deny' },
      },
    ],
    [
      'a rule about paths',
      'POST',
      '/api/rules/test',
      {
        toolName: 'Read',
        toolInput: { file_path: `/${'a/'.repeat(2000)}` },
        also: { pattern: { toolName: 'Read', parameters: { file_path: `${'**/'.repeat(50)}b` } }, decision: 'deny' },
      },
    ],
    ['a search', 'GET', `/api/search?q=${encodeURIComponent('(a+)+$ '.repeat(30))}`, undefined],
    ['the audit log', 'GET', `/api/audit?q=${encodeURIComponent('%'.repeat(200))}`, undefined],
    [
      'blind answers',
      'PUT',
      '/api/notify/settings',
      { contact: `mailto:${'a'.repeat(150)}@${'b.'.repeat(80)}`, blind: [{ toolName: `${'*a'.repeat(80)}*` }] },
    ],
  ])('delays no other caller: %s', async (_name, method, path, body) => {
    const answering = call(method, path, body === undefined ? {} : { body });
    const before = performance.now();
    expect((await call('GET', '/healthz')).status).toBe(200);
    expect(performance.now() - before).toBeLessThan(10_000);
    expect((await answering).status).toBeLessThan(500);
    await call('PUT', '/api/notify/settings', { body: { contact: null, blind: [] } });
  });
});

describe('a script in a field', () => {
  const hook = (more: object) => daemon.hook({ session_id: 'xss', cwd: `/work/${SCRIPT}`, ...more });
  it.each([
    ['a prompt', () => hook({ hook_event_name: 'UserPromptSubmit', prompt: SCRIPT })],
    ['a tool name', () => hook({ hook_event_name: 'PreToolUse', tool_name: SCRIPT, tool_input: { command: SCRIPT } })],
    ['a notification', () => hook({ hook_event_name: 'Notification', message: SCRIPT, title: SCRIPT })],
    ['a subagent', () => hook({ hook_event_name: 'SubagentStart', agent_id: SCRIPT, agent_type: SCRIPT })],
    ['a task', () => hook({ hook_event_name: 'TaskCreated', task_id: '1', task_subject: SCRIPT })],
    ['an error', () => hook({ hook_event_name: 'StopFailure', error: SCRIPT, error_details: SCRIPT })],
    ['a title', () => call('PATCH', '/api/sessions/xss', { body: { title: SCRIPT } })],
    ['a device', () => call('POST', '/api/tokens', { body: { role: 'viewer', name: SCRIPT } })],
    [
      'a channel',
      () =>
        call('POST', '/api/notify/channels', {
          body: { name: SCRIPT, enabled: false, target: { kind: 'slack', url: 'https://hooks.slack.com/x' } },
        }),
    ],
    [
      'a rule',
      () => call('POST', '/api/rules', { body: { pattern: { toolName: 'X' }, decision: 'deny', reason: SCRIPT } }),
    ],
  ])('stays text: %s', async (_name, put) => {
    expect((await put()).status).toBeLessThan(300);
    for (const path of [
      '/api/sessions',
      '/api/devices',
      '/api/notify/channels',
      '/api/rules',
      '/api/sessions/xss/events',
    ]) {
      const { headers, status } = await call('GET', path);
      expect([path, status, headers['content-type']]).toEqual([path, 200, expect.stringContaining('application/json')]);
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('stays text in an error, which names what was asked for', async () => {
    for (const path of [`/api/sessions/${encodeURIComponent(SCRIPT)}`, `/${encodeURIComponent(SCRIPT)}`]) {
      const { headers } = await call('GET', path, { headers: { accept: 'text/html' } });
      if (String(headers['content-type']).includes('html'))
        expect(headers['content-security-policy']).toContain("default-src 'self'");
      else expect(headers['content-type']).toContain('application/json');
    }
  });
});

describe("a request we make on a caller's behalf (SSRF)", () => {
  const port = () => new URL(inside.url).port;
  it.each([
    'http://127.0.0.1:PORT/x',
    'https://127.0.0.1:PORT/x',
    'https://localhost:PORT/x',
    'https://[::1]:PORT/x',
    'https://[::ffff:127.0.0.1]:PORT/x',
    'https://[::127.0.0.1]:PORT/x',
    'https://[64:ff9b::7f00:1]:PORT/x',
    'https://[2002:7f00:1::]:PORT/x',
    'https://0.0.0.0:PORT/x',
    'https://2130706433:PORT/x',
    'https://0x7f.1:PORT/x',
    'https://10.0.0.1/x',
    'https://192.168.1.1/x',
    'https://100.64.0.1/x',
    'https://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'gopher://127.0.0.1:PORT/x',
  ])('reaches no internal address: %s', async (address) => {
    reached = [];
    const url = address.replace('PORT', port());
    const made = await call('POST', '/api/notify/channels', { body: { name: 'x', target: { kind: 'webhook', url } } });
    if (made.status === 200) {
      const { id } = made.json.channel;
      const { json: sent } = await call('POST', `/api/notify/channels/${id}/test`, { body: {} });
      const tried = await waitFor(
        async () => {
          const { json } = await call('GET', `/api/notify/notifications/${sent.id}`);
          return json.attempts > 0 ? json : undefined;
        },
        { what: 'an attempt' },
      );
      expect(['failed', 'waiting']).toContain(tried.state);
      await call('DELETE', `/api/notify/channels/${id}`);
    } else expect(made.status).toBe(400);
    expect(reached).toEqual([]);
  });

  it.each([
    'https://evil.example/push',
    'https://fcm.googleapis.com.evil.example/x',
    'https://fcm.googleapis.com:8443/x',
    'https://evil@fcm.googleapis.com.evil.example/x',
    'http://fcm.googleapis.com/x',
    'https://127.0.0.1/x',
  ])('is not pushed to a made-up service: %s', async (endpoint) => {
    const key = await makeBrowserKey();
    const code = new URL(daemon.link()).searchParams.get('code');
    const { json } = await call('POST', '/api/pair', { token: false, body: { code, key: key.spki } });
    const { run } = (await call('GET', '/api/sessions', { token: false })).json.error;
    const authorization = await key.authorization({ deviceId: json.device.id, run });
    const answer = await call('PUT', '/api/notify/push', {
      token: false,
      headers: { authorization },
      body: { endpoint, keys: { p256dh: 'AAAA', auth: 'AAAA' } },
    });
    expect([answer.status, answer.json.error.code]).toEqual([400, 'channel.unknown_push_service']);
  });
});

describe('a message for someone else', () => {
  it('a receipt needs the token of its notification', async () => {
    for (const body of [
      { id: 'x', token: 'x' },
      { id: '__proto__', token: '' },
    ])
      expect((await call('POST', '/api/notify/receipts', { token: false, body })).status).toBe(404);
  });

  it('a refusal in the log is one line, whatever the path holds', async () => {
    await call('DELETE', '/api/sessions/x%0d%0aFAKE%20entry%1b%5b2J', { headers: { origin: 'https://evil.example' } });
    const { entries } = (await call('GET', '/api/audit?action=access.refused')).json as {
      entries: { detail: string }[];
    };
    const found = entries.find(({ detail }) => detail.includes('FAKE'));
    expect([...(found?.detail ?? '')].filter((character) => character < ' ')).toEqual([]);
  });
});
