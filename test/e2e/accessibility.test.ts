import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../kit/browser.ts';
import { startStillDemo } from '../kit/demo.ts';
import { AXE, findBarriers } from '../kit/find-barriers.ts';

const SIZES = {
  desk: { width: 1440, height: 900 },
  laptop: { width: 1280, height: 800 },
  phone: { width: 360, height: 740 },
} as const;
const COLORS = ['color-contrast', 'link-in-text-block'];
// the themes only differ in colors, so the second one is only checked for those
const LOOKS = [
  { size: 'desk', colorScheme: 'light' },
  { size: 'desk', colorScheme: 'dark', rules: COLORS },
  { size: 'phone', colorScheme: 'dark' },
  { size: 'phone', colorScheme: 'light', rules: COLORS },
] as const;

let browser: Browser;
let demo: Awaited<ReturnType<typeof startStillDemo>>;
let page: Page;

beforeAll(async () => {
  [browser, demo] = await Promise.all([launchBrowser(), startStillDemo()]);
  // without animations, no color is mid-transition during the check
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  await page.addInitScript(AXE);
  await page.goto(await demo.link());
  await page.getByRole('status').getByText('Live').first().waitFor();
});
afterAll(async () => {
  await browser.close();
  await demo.dispose();
});

it.each([
  { name: 'board', path: '/', shows: '[data-card]' },
  { name: 'grid', path: '/?view=grid', shows: '[data-card]' },
  { name: 'list', path: '/?view=list', shows: '[data-card]' },
  { name: 'monitor', path: '/?view=monitor', shows: 'main article' },
  { name: 'inbox', path: '/inbox', shows: 'main li' },
  { name: 'session', path: sessionPath, shows: '[data-message], article' },
  { name: 'history', path: '/history', shows: 'main a' },
  { name: 'search', path: '/history?q=test', shows: 'mark' },
  { name: 'statistics', path: '/stats', shows: 'canvas' },
  { name: 'rules', path: '/rules', shows: 'article' },
  { name: 'reviews', path: '/reviews', shows: '[data-review]' },
  { name: 'audit', path: '/audit', shows: 'article' },
  { name: 'settings', path: '/settings', shows: 'table' },
  { name: 'worktrees', path: '/worktrees', shows: 'main h2' },
  { name: 'queue', path: '/queue', shows: 'main h2' },
  { name: 'fan-outs', path: '/fan-outs', shows: 'main h2' },
  { name: 'blueprints', path: '/agents', shows: 'main h2' },
])('no accessibility problem on $name, light or dark, on desktop or phone', async ({ path, shows }) => {
  await page.goto(demo.url + (typeof path === 'string' ? path : await path()));
  const found: string[] = [];
  for (const { size, colorScheme, ...look } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(SIZES[size]);
    await page.locator(shows).first().waitFor();
    found.push(...(await findBarriers(page, look)).map((barrier) => `${colorScheme} on the ${size}: ${barrier}`));
    found.push(...(await overflowOn(size)));
  }
  await page.setViewportSize(SIZES.laptop);
  found.push(...(await overflowOn('laptop')));
  expect(found).toEqual([]);
});

/** The app fills the window; only its parts scroll. */
async function overflowOn(size: string): Promise<string[]> {
  const { wider, longer } = await page.evaluate(() => ({
    wider: document.documentElement.scrollWidth - window.innerWidth,
    longer: document.documentElement.scrollHeight - window.innerHeight,
  }));
  return [
    ...(wider > 0 ? [`${size}: ${wider}px wider than the window`] : []),
    ...(longer > 0 ? [`${size}: the document scrolls ${longer}px past the app`] : []),
  ];
}

async function sessionPath(): Promise<string> {
  const session = (await demo.sessions()).find(({ agentState }) => agentState.state === 'delegating');
  return `/sessions/${session?.id}`;
}
