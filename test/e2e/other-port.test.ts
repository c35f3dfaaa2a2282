import { createServer, type Server } from 'node:http';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { launchBrowser } from '../kit/browser.ts';
import { apiCaller } from '../kit/call-api.ts';
import { type DaemonProcess, newHome, startDaemonProcess } from '../kit/daemon-process.ts';
import { listenOnLoopback } from '../kit/loopback-server.ts';
import { waitFor } from '../kit/wait.ts';

let browser: Browser;
let daemon: DaemonProcess;
const home = newHome();
beforeAll(async () => {
  [browser, daemon] = await Promise.all([launchBrowser(), startDaemonProcess({ home })]);
});
afterAll(async () => {
  await browser.close();
  await daemon.dispose();
});

async function signIn(): Promise<{ context: BrowserContext; page: Page }> {
  const { url } = (await apiCaller(daemon)('POST', '/api/links', { role: 'admin' })).json;
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(url);
  await isLive(page);
  return { context, page };
}

const isLive = (page: Page) => page.getByRole('status').getByText('Live').first().waitFor();

it('leaves no code in the address, and no cookie', async () => {
  const { context, page } = await signIn();
  expect(page.url()).toBe(`${daemon.url}/`);
  expect(await page.evaluate(() => history.length)).toBeLessThan(3);
  expect(await context.cookies()).toEqual([]);
  expect(await page.evaluate(() => [localStorage.length, document.cookie])).not.toContain('groundcontrol');
});

it('stays signed in across a reload, a new tab, leaving and coming back, and a restart', async () => {
  const { context, page } = await signIn();
  await page.reload();
  await isLive(page);
  const tab = await context.newPage();
  await tab.goto(`${daemon.url}/settings`);
  await tab.getByText('(this one)').waitFor();
  await tab.goto('about:blank');
  await tab.goBack();
  await isLive(tab);
  const { port } = daemon;
  await daemon.kill('SIGKILL');
  daemon = await startDaemonProcess({ home, args: ['--port', String(port)] });
  await tab.getByText('(this one)').waitFor();
  for (const one of [page, tab]) await isLive(one);
  // without a reload: requests signed for the previous run are signed again
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('heading', { name: 'Audit' }).waitFor();
});

it('a page on another local port, with the operator signed in, can neither read nor act', async () => {
  const { context, page } = await signIn();
  const heard: { url: string; cookie: string | undefined; authorization: string | undefined }[] = [];
  const hostile = await listenOnLoopback((request, response) => {
    const { cookie, authorization } = request.headers;
    heard.push({ url: request.url ?? '', cookie, authorization });
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Hello</title>');
  });
  onTestFinished(hostile.close);
  const evil = await context.newPage();
  await evil.goto(hostile.url);
  const outcome = await evil.evaluate(attack, daemon.url);
  expect(outcome).toEqual({
    'read with cors': 'blocked',
    'read without cors': 'blocked',
    'act as json': 'blocked',
    'act as text': 'blocked',
    'act without cors': 'blocked',
    'act with a header': 'blocked',
    stream: 'error',
    socket: 'error',
    image: 'error',
    script: 'error',
    frame: 'unreadable',
    databases: '',
    window: 'unreadable',
  });
  // a form and a beacon return nothing to their page, and the daemon treats neither as the operator
  await evil.evaluate((url) => {
    navigator.sendBeacon(`${url}/api/stop`, new Blob(['{"all":true}'], { type: 'text/plain' }));
    const form = document.createElement('form');
    form.action = `${url}/api/away`;
    form.method = 'post';
    form.enctype = 'text/plain';
    document.body.append(form);
    form.submit();
  }, daemon.url);
  await evil.waitForURL(/api\/away/);
  expect(await evil.textContent('body')).toContain('access.cross_site');
  // what its server heard from the browser grants no access
  expect(heard.map(({ cookie, authorization }) => cookie ?? authorization).filter(Boolean)).toEqual([]);
  const audit = (await apiCaller(daemon)('GET', '/api/audit?limit=1000')).json.entries as { action: string }[];
  expect(audit.filter(({ action }) => /rule|stop|away\./.test(action))).toEqual([]);
  expect((await apiCaller(daemon)('GET', '/api/rules')).json.rules).toEqual([]);
  expect((await apiCaller(daemon)('GET', '/api/away')).json).toEqual({ away: false });
  await isLive(page);
});

it('a program that takes a dead daemon’s port gets nothing that grants access to the next one', async () => {
  const { page } = await signIn();
  const { port } = daemon;
  await daemon.kill('SIGTERM');
  const stolen: string[] = [];
  const taker = await takePort(port, (authorization) => stolen.push(authorization));
  // the open page reconnects to it, and signs for whatever run it reports
  await waitFor(() => stolen.length > 1, { what: 'the page to speak to the taker' });
  // a page served by the taker has the same origin
  const own = await page.context().newPage();
  await own.goto(`http://127.0.0.1:${port}/`);
  const key = await own.evaluate(stealKey);
  expect(key).toMatchObject({ deviceId: expect.any(String), exported: 'refused' });
  await new Promise<void>((resolve) => {
    taker.close(() => resolve());
    taker.closeAllConnections();
  });
  daemon = await startDaemonProcess({ home, args: ['--port', String(port)] });
  for (const authorization of [...stolen, `Proof ${key.deviceId}.${key.signed}`]) {
    const answer = await fetch(`${daemon.url}/api/sessions`, { headers: { authorization } });
    expect(answer.status).toBe(401);
  }
  // the daemon recognizes the operator again, whom the taker had refused
  await page.reload();
  await isLive(page);
});

function takePort(port: number, hear: (authorization: string) => void): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.headers.authorization) hear(request.headers.authorization);
    if (request.url === '/') return void response.setHeader('content-type', 'text/html').end('<!doctype html>');
    const body = { error: { code: 'access.no_credential', message: 'Sign it.', run: 'a-run-of-the-takers' } };
    response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

/** Runs in a page of the taker, on our origin. */
async function stealKey(): Promise<{ deviceId: string; exported: string; signed: string }> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('groundcontrol');
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const { deviceId, keys } = await new Promise<{ deviceId: string; keys: CryptoKeyPair }>((resolve) => {
    const request = database.transaction('identity').objectStore('identity').get('own');
    request.onsuccess = () => resolve(request.result);
  });
  const exported = await crypto.subtle.exportKey('jwk', keys.privateKey).then(
    () => 'exported',
    () => 'refused',
  );
  const guess = new TextEncoder().encode('groundcontrol run the-next-one');
  const bytes = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, keys.privateKey, guess);
  const signed = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return { deviceId, exported, signed: signed.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') };
}

/** Runs in a page on another port. */
async function attack(target: string): Promise<Record<string, string>> {
  const rule = JSON.stringify({ pattern: { toolName: '*' }, decision: 'allow' });
  const attempt = (path: string, init: RequestInit) =>
    fetch(target + path, { credentials: 'include', ...init }).then(
      (response) => (response.type === 'opaque' ? 'opaque' : `read ${response.status}`),
      () => 'blocked',
    );
  const load = (make: (done: (outcome: string) => void) => void) =>
    new Promise<string>((resolve) => {
      make(resolve);
      setTimeout(() => resolve('nothing'), 10_000);
    });
  const element = (name: 'img' | 'script') =>
    load((done) => {
      const tag = document.createElement(name);
      tag.onload = () => done('loaded');
      tag.onerror = () => done('error');
      tag.src = `${target}/api/sessions`;
      document.body.append(tag);
    });
  const headers = { 'content-type': 'application/json' };
  const frame = await load((done) => {
    const tag = document.createElement('iframe');
    tag.src = target;
    tag.onload = () => {
      try {
        done(tag.contentDocument?.body ? `read ${tag.contentDocument.body.textContent}` : 'unreadable');
      } catch {
        done('unreadable');
      }
    };
    document.body.append(tag);
  });
  const opened = window.open(target);
  await new Promise((resolve) => setTimeout(resolve, 500));
  let other = 'unreadable';
  try {
    other = `read ${opened?.document.body.textContent}`;
  } catch {
    // expected
  }
  opened?.close();
  return {
    'read with cors': await attempt('/api/sessions', {}),
    'read without cors': await attempt('/api/sessions', { mode: 'no-cors' }),
    'act as json': await attempt('/api/rules', { method: 'POST', headers, body: rule }),
    'act as text': await attempt('/api/rules', { method: 'POST', body: rule }),
    'act without cors': await attempt('/api/rules', { method: 'POST', mode: 'no-cors', body: rule }),
    'act with a header': await attempt('/api/rules', {
      method: 'POST',
      headers: { ...headers, authorization: 'Proof a.b' },
      body: rule,
    }),
    stream: await load((done) => {
      const source = new EventSource(`${target}/api/live/stream`, { withCredentials: true });
      source.onmessage = () => done('read');
      source.addEventListener('summary', () => done('read'));
      source.onerror = () => done('error');
    }),
    socket: await load((done) => {
      const socket = new WebSocket(`${target.replace('http', 'ws')}/ws`);
      socket.onmessage = () => done('read');
      socket.onerror = () => done('error');
    }),
    image: await element('img'),
    script: await element('script'),
    frame,
    databases: (await indexedDB.databases()).map(({ name }) => name).join(),
    window: other,
  };
}
