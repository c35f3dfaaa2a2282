import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { apiCaller } from '../../kit/call-api.ts';
import type { DaemonProcess } from '../../kit/daemon-process.ts';
import { sleep } from '../../kit/generate-load.ts';

/** A signed-in browser. Keys can't be copied between browsers, so each signs in with its own link. */
export async function signIn(browser: Browser, daemon: DaemonProcess): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const link = (role: string) => apiCaller(daemon)('POST', '/api/links', { role });
  const { status, json } = await link('admin');
  // older versions have no admins
  await page.goto(status === 400 ? (await link('operator')).json.url : json.url);
  await page.locator('[data-card]').first().waitFor();
  await page.close();
  return context;
}

/** A page with an empty browser cache. */
async function openCold(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  return page;
}

/** The JavaScript of the first page, compressed. */
export async function loadedBytes(context: BrowserContext, url: string): Promise<number> {
  const page = await openCold(context);
  const bodies: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (/\.js($|\?)/.test(response.url())) bodies.push(response.body());
  });
  await page.goto(url);
  await page.locator('[data-card]').first().waitFor();
  await sleep(1_000);
  const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body).length);
  await page.close();
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * Milliseconds until the first card is there and a frame was drawn after it. The page measures this itself, because polling would take
 * processor time.
 */
export async function interactiveAfter(context: BrowserContext, url: string): Promise<number> {
  const page = await openCold(context);
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('[data-card]')) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => Reflect.set(window, 'interactiveAt', performance.now())));
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(url, { waitUntil: 'commit' });
  const took = await page.waitForFunction(() => Reflect.get(window, 'interactiveAt'), null, { polling: 500 });
  const ms = (await took.jsonValue()) as number;
  await page.close();
  return ms;
}

/** The time between consecutive frames. */
export function frameTimes(page: Page, seconds: number): Promise<number[]> {
  return page.evaluate(
    (ms) =>
      new Promise<number[]>((resolve) => {
        const deltas: number[] = [];
        const start = performance.now();
        let last = start;
        const tick = (now: number) => {
          deltas.push(now - last);
          last = now;
          if (now - start < ms) requestAnimationFrame(tick);
          else resolve(deltas.slice(1));
        };
        requestAnimationFrame(tick);
      }),
    seconds * 1000,
  );
}
