import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeBrowserKey } from '../../../test/kit/browser-key.ts';
import { freePort } from '../../../test/kit/free-port.ts';
import { pair } from '../../../test/kit/pair.ts';
import { startTestDaemon, type TestDaemon } from '../../../test/kit/test-daemon.ts';

let daemon: TestDaemon;
let operator: string;
let port: number;
let ca: string;
let url: string;

/** As a phone in the same network does: by TLS, trusting the CA that we made. */
function phone(
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise<{
    status: number;
    text: string; // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    json: any;
    headers: Record<string, unknown>;
  }>((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        ca,
        servername: 'localhost',
        checkServerIdentity: () => undefined,
        headers: {
          host: new URL(url).host,
          ...(text ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } : {}),
          ...headers,
        },
      },
      (answer) => {
        let got = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          got += chunk;
        });
        answer.on('end', () => {
          const json = /json/.test(answer.headers['content-type'] ?? '') && got ? JSON.parse(got) : undefined;
          resolve({ status: answer.statusCode ?? 0, text: got, json, headers: answer.headers });
        });
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}

beforeAll(async () => {
  daemon = await startTestDaemon();
  operator = await pair(daemon.link());
  port = await freePort();
  const opened = await daemon.call('PUT', '/api/remote/listener', {
    token: operator,
    body: { host: '127.0.0.1', port, names: ['tower.test', '127.0.0.1'] },
  });
  expect(opened.status).toBe(200);
  url = opened.json.urls[0];
  ca = readFileSync(join(daemon.dataDir.path, 'tls', 'ca.pem'), 'utf8');
});
afterAll(() => daemon.dispose());

describe('the certificate', () => {
  it("passes strict verification for its names, and its CA can't sign again", async () => {
    const cert = new X509Certificate(readFileSync(join(daemon.dataDir.path, 'tls', 'cert.pem')));
    expect(cert.checkHost('tower.test')).toBe('tower.test');
    expect(cert.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(cert.checkHost('evil.test')).toBeUndefined();
    expect(cert.verify(new X509Certificate(ca).publicKey)).toBe(true);
    expect(Date.parse(cert.validTo) - Date.now()).toBeLessThan(398 * 86_400_000);
    const authorized = await new Promise<boolean>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, ca, servername: 'tower.test' }, () => {
        resolve(socket.authorized);
        socket.end();
      });
      socket.on('error', reject);
    });
    expect(authorized).toBe(true);
    expect(statSync(join(daemon.dataDir.path, 'tls', 'key.pem')).mode & 0o077).toBe(0);
  });

  it('is offered with its fingerprint and the steps to trust it', async () => {
    const page = await phone('GET', '/trust', { headers: { accept: 'text/html' } });
    expect(page.text).toContain(new X509Certificate(ca).fingerprint256);
    expect((await phone('GET', '/groundcontrol-ca.pem')).text).toBe(ca);
  });
});

describe('the HTTPS door', () => {
  it('answers only under its own names, and only to signed-in devices', async () => {
    expect((await phone('GET', '/healthz')).status).toBe(200);
    expect((await phone('GET', '/api/sessions')).status).toBe(401);
    expect((await phone('GET', '/healthz', { headers: { host: 'evil.test' } })).status).toBe(403);
    const foreign = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' };
    expect((await phone('POST', '/api/pair', { headers: foreign, body: { code: 'x' } })).status).toBe(403);
  });

  it("accepts this machine's credential, which agents can read, only for reading", async () => {
    const headers = { authorization: `Bearer ${daemon.localToken}` };
    expect((await phone('GET', '/api/sessions', { headers })).status).toBe(200);
  });

  it('disconnects a client that trickles headers, and answers others meanwhile', async () => {
    const slow = connect({ host: '127.0.0.1', port, ca, servername: 'tower.test' });
    let got = '';
    slow.on('data', (chunk) => {
      got += chunk.toString();
    });
    const closed = new Promise<void>((resolve) => slow.on('close', () => resolve()));
    slow.on('error', () => undefined);
    slow.write(`GET /healthz HTTP/1.1\r\nHost: ${new URL(url).host}\r\n`);
    const drip = setInterval(() => slow.write('X: y\r\n'), 500);
    expect((await phone('GET', '/healthz')).status).toBe(200);
    await closed;
    clearInterval(drip);
    expect(got).toMatch(/^HTTP\/1\.1 408|^$/);
  });

  it('does not accept hooks', async () => {
    const headers = { 'x-groundcontrol-token': daemon.hookToken };
    const body = { session_id: 'far', hook_event_name: 'UserPromptSubmit' };
    expect((await phone('POST', '/api/live/hook', { headers, body })).status).not.toBe(200);
  });
});

describe('pairing from another machine', () => {
  const link = async (role = 'operator') =>
    (await daemon.call('POST', '/api/links', { token: operator, body: { role, remote: true } })).json;
  const outcome = (pairing: { id: string; secret: string }) =>
    phone('POST', '/api/pair/outcome', { body: { id: pairing.id, secret: pairing.secret } });

  it('keeps the code out of requests and logs, and needs a confirmation here with the same numbers', async () => {
    const { url: address, code } = await link();
    expect(address).toBe(`${url}/pair#code=${code}`);
    const key = await makeBrowserKey();
    const { json } = await phone('POST', '/api/pair', { body: { code, key: key.spki, name: 'My phone' } });
    const { pairing } = json;
    expect(pairing.match).toMatch(/^\d\d-\d\d$/);
    expect((await outcome(pairing)).json).toEqual({ state: 'waiting' });
    expect((await outcome({ ...pairing, secret: 'guess' })).status).toBe(404);
    const { json: waiting } = await daemon.call('GET', '/api/pairings', { token: operator });
    expect(waiting.pairings).toMatchObject([{ name: 'My phone', match: pairing.match, role: 'operator' }]);
    expect(JSON.stringify(waiting)).not.toContain(pairing.secret);

    const confirmed = await daemon.call('POST', `/api/pairings/${pairing.id}/confirm`, { token: operator });
    expect(confirmed.status).toBe(204);
    const { device, state } = (await outcome(pairing)).json;
    expect([state, device.name]).toEqual(['confirmed', 'My phone']);
    const { json: refusal } = await phone('GET', '/api/sessions');
    const authorization = await key.authorization({ deviceId: device.id, run: refusal.error.run });
    expect((await phone('GET', '/api/sessions', { headers: { authorization } })).status).toBe(200);
    await daemon.call('DELETE', `/api/devices/${device.id}`, { token: operator });
    expect((await phone('GET', '/api/sessions', { headers: { authorization } })).status).toBe(401);
  });

  it('needs the confirmation also if a Host of this machine is forged, over TLS or through a tunnel', async () => {
    const host = `127.0.0.1:${daemon.port}`;
    const { code } = await link();
    expect((await phone('POST', '/api/pair', { body: { code }, headers: { host } })).json.pairing).toBeDefined();
    for (const header of ['x-forwarded-for', 'forwarded', 'tailscale-user-login', 'cf-connecting-ip']) {
      const { code: next } = await link();
      const headers = { host, [header]: '127.0.0.1' };
      const forged = await daemon.call('POST', '/api/pair', { token: false, headers, body: { code: next } });
      expect([header, forged.json.pairing?.match]).toEqual([header, expect.any(String)]);
    }
  });

  it('signs in no refused device, and accepts a code once', async () => {
    const { code } = await link();
    const { pairing } = (await phone('POST', '/api/pair', { body: { code } })).json;
    expect((await phone('POST', '/api/pair', { body: { code } })).json.error.code).toBe('access.bad_code');
    await daemon.call('POST', `/api/pairings/${pairing.id}/refuse`, { token: operator });
    expect((await outcome(pairing)).json).toEqual({ state: 'refused' });
    expect((await outcome(pairing)).status).toBe(404);
    const again = await daemon.call('POST', `/api/pairings/${pairing.id}/confirm`, { token: operator });
    expect(again.status).toBe(404);
  });

  it('accepts a typed code in any spelling, until too many wrong guesses', async () => {
    const first = await link();
    expect(first.short).toMatch(/^[B-DF-HJ-NP-TV-XZ]{8}$/);
    const typed = `${first.short.slice(0, 4).toLowerCase()}-${first.short.slice(4)}`;
    expect((await phone('POST', '/api/pair', { body: { code: typed } })).json.pairing.match).toBeDefined();
    const second = await link();
    for (let guess = 0; guess < 5; guess++) await phone('POST', '/api/pair', { body: { code: `BCDFGHJ${guess}` } });
    expect((await phone('POST', '/api/pair', { body: { code: second.short } })).status).toBe(403);
    expect((await phone('POST', '/api/pair', { body: { code: second.code } })).json.pairing).toBeDefined();
  });

  it('lets viewers see waiting callers but not confirm them', async () => {
    const { code } = await link();
    const { pairing } = (await phone('POST', '/api/pair', { body: { code } })).json;
    const { json: viewerLink } = await daemon.call('POST', '/api/links', { token: operator, body: { role: 'viewer' } });
    const viewer = await pair(viewerLink.url);
    expect((await daemon.call('POST', `/api/pairings/${pairing.id}/confirm`, { token: viewer })).status).toBe(403);
  });
});

describe('addresses', () => {
  it("adds a tunnel's addresses, checks them, and removes them", async () => {
    for (const bad of ['http://tower.example', 'ftp://x', 'not a url']) {
      const refused = await daemon.call('POST', '/api/remote/urls', { token: operator, body: { url: bad } });
      expect([bad, refused.status]).toEqual([bad, 400]);
    }
    const added = await daemon.call('POST', '/api/remote/urls', {
      token: operator,
      body: { url: 'https://Tower.example/' },
    });
    expect(added.json.urls[0]).toBe('https://tower.example');
    const through = { headers: { host: 'tower.example' }, token: false as const };
    expect((await daemon.call('GET', '/healthz', through)).status).toBe(200);
    const { json: audit } = await daemon.call('GET', '/api/audit?action=access.', { token: operator });
    const actions = audit.entries.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(['access.remote', 'access.pairing', 'access.pairing_refused']));
    const closed = await daemon.call('DELETE', '/api/remote', { token: operator });
    expect(closed.json).toEqual({ urls: [], listener: null, tunnel: null, trustedProxies: [] });
    expect((await daemon.call('GET', '/healthz', through)).status).toBe(403);
    await expect(phone('GET', '/healthz')).rejects.toThrow(/ECONNREFUSED|hang up|reset/);
    const refused = await daemon.call('POST', '/api/links', { token: operator, body: { remote: true } });
    expect(refused.json.error).toMatchObject({ code: 'remote.not_set_up' });
  });
});
