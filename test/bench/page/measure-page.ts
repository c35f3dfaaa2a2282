import { gzipSync } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright-core';
import { sleep } from '../../kit/generate-load.ts';

/** The JavaScript of the first page, compressed. The context must be new, and is closed. */
export async function loadedBytes(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage();
  const bodies: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (/\.js($|\?)/.test(response.url())) bodies.push(response.body());
  });
  await page.goto(url);
  await page.locator('[data-card]').first().waitFor();
  await sleep(1_000);
  const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body).length);
  await context.close();
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * How many milliseconds until the first card is there and a frame was drawn after it. The page measures the time itself: polling it would
 * take processor time. The context must be new, and is closed.
 */
export async function interactiveAfter(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage();
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
  await context.close();
  return ms;
}

/** The time between each two frames. */
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
