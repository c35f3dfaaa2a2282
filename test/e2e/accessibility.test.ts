import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../kit/browser.ts';
import { startStillDemo } from '../kit/demo.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 360, height: 740 } } as const;

let browser: Browser;
let demo: Awaited<ReturnType<typeof startStillDemo>>;
let pages: Array<{ name: string; path: string; shows: string }>;

beforeAll(async () => {
  [browser, demo] = await Promise.all([launchBrowser(), startStillDemo()]);
  const session = (await demo.sessions()).find(({ agentState }) => agentState.state === 'delegating');
  pages = [
    { name: 'board', path: '/', shows: '[data-card]' },
    { name: 'grid', path: '/?view=grid', shows: '[data-card]' },
    { name: 'list', path: '/?view=list', shows: '[data-card]' },
    { name: 'monitor', path: '/?view=monitor', shows: 'main article' },
    { name: 'inbox', path: '/inbox', shows: 'main li' },
    { name: 'session', path: `/sessions/${session?.id}`, shows: '[data-message], article' },
    { name: 'history', path: '/history', shows: 'main a' },
    { name: 'search', path: '/history?q=test', shows: 'mark' },
    { name: 'statistics', path: '/stats', shows: 'canvas' },
    { name: 'rules', path: '/rules', shows: 'article' },
    { name: 'reviews', path: '/reviews', shows: '[data-review]' },
    { name: 'audit', path: '/audit', shows: 'article' },
    { name: 'settings', path: '/settings', shows: 'table' },
  ];
});
afterAll(async () => {
  await browser.close();
  await demo.dispose();
});

it.each([
  { colorScheme: 'light', size: 'desk' },
  { colorScheme: 'dark', size: 'phone' },
] as const)('no page has a serious barrier, $colorScheme on the $size', async ({ colorScheme, size }) => {
  // our policy forbids the script that looks for barriers
  const context = await browser.newContext({ viewport: SIZES[size], colorScheme, bypassCSP: true });
  const page = await context.newPage();
  await page.goto(await demo.link());
  const found: string[] = [];
  for (const { name, path, shows } of pages) {
    await page.goto(demo.url + path);
    await page.locator(shows).first().waitFor();
    found.push(...(await barriersOn(page)).map((barrier) => `${name}: ${barrier}`));
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (overflow > 0) found.push(`${name}: ${overflow}px wider than the window`);
  }
  await context.close();
  expect(found).toEqual([]);
});

async function barriersOn(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: AXE });
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `${id} ${html.slice(0, 160)} ${failureSummary?.slice(0, 240)}`),
    );
}
