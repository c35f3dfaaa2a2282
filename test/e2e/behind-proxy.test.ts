import { expect, onTestFinished, test } from 'vitest';
import type { Link, Pairing } from '../../src/contract/access.ts';
import { launchBrowser } from '../kit/browser.ts';
import { apiCaller } from '../kit/call-api.ts';
import { startDaemonProcess } from '../kit/daemon-process.ts';
import { startReverseProxy } from '../kit/reverse-proxy.ts';

const HOST = 'shared.test';

test.each([
  ['passes the path and the Host on', false],
  ['takes the path off, and is trusted to say the Host', true],
])('the whole page works below a path, behind a proxy that %s', async (_how, strips) => {
  const daemon = await startDaemonProcess({ args: ['--no-hooks'] });
  onTestFinished(daemon.dispose);
  const call = apiCaller(daemon);
  const proxy = await startReverseProxy({
    host: HOST,
    basePath: '/gc',
    port: Number(new URL(daemon.url).port),
    strips,
  });
  onTestFinished(proxy.close);
  const trust = strips ? { trustedProxies: ['127.0.0.1'] } : {};
  expect((await call('POST', '/api/remote/urls', { url: proxy.url, ...trust })).status).toBe(200);

  const browser = await launchBrowser({ names: { hosts: [HOST], trustedKeys: [proxy.key] } });
  onTestFinished(() => browser.close());
  const page = await (await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })).newPage();
  const outside: string[] = [];
  const failed: string[] = [];
  page.on('request', (asked) => {
    if (asked.url().startsWith('http') && !`${asked.url()}/`.startsWith(`${proxy.url}/`)) outside.push(asked.url());
  });
  page.on('response', (answer) => {
    if (answer.status() >= 400 && answer.status() !== 401) failed.push(`${answer.status()} ${answer.url()}`);
  });

  const link = (await call('POST', '/api/links', { role: 'admin', remote: true, name: 'Phone' })).json as Link;
  expect(link.url.startsWith(`${proxy.url}/pair#code=`)).toBe(true);
  await page.goto(link.url);
  await page
    .getByRole('status')
    .getByText(/^\d\d-\d\d$/)
    .waitFor();
  const [pairing] = (await call('GET', '/api/pairings')).json.pairings as Pairing[];
  await call('POST', `/api/pairings/${pairing!.id}/confirm`, {});
  // live: the stream comes through
  await page.getByRole('status').getByText('Live').first().waitFor();
  expect(page.url()).toBe(`${proxy.url}/`);

  for (const name of ['Settings', 'Rules', 'History']) {
    await page.getByRole('button', { name: 'Menu' }).tap();
    await page.getByRole('dialog').getByRole('link', { name }).tap();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    expect(page.url().startsWith(`${proxy.url}/${name.toLowerCase()}`)).toBe(true);
  }
  // opened directly, and reloaded
  await page.goto(`${proxy.url}/settings`);
  await page.reload();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await page.getByRole('status').getByText('Live').first().waitFor();

  const app = await page.evaluate(async () => {
    const { href } = document.querySelector<HTMLLinkElement>('link[rel=manifest]')!;
    const manifest = (await (await fetch(href)).json()) as {
      start_url: string;
      scope: string;
      icons: { src: string }[];
    };
    const whole = (path: string) => new URL(path, href).href;
    const icons = await Promise.all(manifest.icons.map(async ({ src }) => (await fetch(whole(src))).status));
    const worker = document.querySelector<HTMLMetaElement>('meta[name=groundcontrol-base]')!.content;
    const { scope } = await navigator.serviceWorker.register(`${worker}/sw.js`, { scope: `${worker}/` });
    await navigator.serviceWorker.ready;
    return { start: whole(manifest.start_url), scope: whole(manifest.scope), worker: scope, icons };
  });
  const root = `${proxy.url}/`;
  expect(app).toMatchObject({ start: root, scope: root, worker: root });
  expect(new Set(app.icons)).toEqual(new Set([200]));
  expect(outside).toEqual([]);
  expect(failed).toEqual([]);
});
