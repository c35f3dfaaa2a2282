import { cpus, loadavg, totalmem } from 'node:os';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../kit/browser.ts';
import { apiCaller } from '../kit/call-api.ts';
import { newHome, startDaemonProcess } from '../kit/daemon-process.ts';
import { median, percentile, sleep } from '../kit/generate-load.ts';
import { measureSteal } from '../kit/measure-steal.ts';
import { frameTimes, interactiveAfter, signIn } from './page/measure-page.ts';
import { playSessions } from './page/play-sessions.ts';

/** Whether the page can still be used with ten thousand sessions on the board: opened, scrolled, filtered, searched, decided on. */

const SESSIONS = Number(process.env.SESSIONS ?? 10_000);
const EVENTS_EACH = 5;
const RATE = 200;
/** A folder for screenshots. */
const PICTURES = process.env.PICTURES;
const ROUNDS = 5;

console.log(
  `# npm run bench crowd\n\n${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}, load ${loadavg()[0]!.toFixed(1)}; browser, daemon and fleet share them\n`,
);
const stolen = measureSteal();
const daemon = await startDaemonProcess({ home: newHome(), args: ['--hooks'] });
const browser = await launchBrowser({ whole: true });
const call = apiCaller(daemon);
try {
  await playSessions(() => daemon, {
    sessions: SESSIONS,
    count: SESSIONS * EVENTS_EACH,
    rate: Number.POSITIVE_INFINITY,
  });
  const { sessions } = (await call('GET', '/api/sessions')).json;
  console.log(`${sessions.length} sessions on the board\n\n| what | measured |\n| --- | --- |`);
  const context = await signIn(browser, daemon);
  const loads: number[] = [];
  for (let round = 0; round < ROUNDS; round++) loads.push(await interactiveAfter(context, daemon.url));
  report('first card, empty cache', loads);
  for (const [name, viewport] of [
    ['desktop', { width: 1440, height: 900 }],
    ['phone', { width: 390, height: 844 }],
  ] as const) {
    const page = await context.newPage();
    await page.setViewportSize(viewport);
    await page.goto(daemon.url);
    await page.locator('[data-card]').first().waitFor();
    await sleep(3000);
    await measurePage(page, name);
    await page.close();
  }
  console.log(
    `\nOthers on the host took ${stolen()} of the processors' time. Load ${loadavg()[0]!.toFixed(1)} at the end.`,
  );
} finally {
  await browser.close();
  await daemon.dispose();
}

async function measurePage(page: Page, name: string): Promise<void> {
  const picture = (what: string) => PICTURES && page.screenshot({ path: `${PICTURES}/crowd-${name}-${what}.png` });
  await picture('board');
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  const { nodes } = await cdp.send('Memory.getDOMCounters');
  console.log(`| ${name}: heap, nodes | ${(usedSize / 2 ** 20).toFixed(1)} MB, ${nodes} |`);
  frames(`${name}: frames, nothing happens`, await frameTimes(page, 4));
  const scrolling = frameTimes(page, 4);
  await scroll(page, 4000);
  frames(`${name}: frames while scrolling`, await scrolling);
  await picture('scrolled');
  const stop = new AbortController();
  const fleet = playSessions(() => daemon, { sessions: SESSIONS, rate: RATE, signal: stop.signal });
  await sleep(2000);
  frames(`${name}: frames at ${RATE} updates/s`, await frameTimes(page, 8));
  stop.abort();
  await fleet;
  if (name === 'desktop') await measureFilter(page, picture);
  await measurePalette(page, picture);
}

async function scroll(page: Page, ms: number): Promise<void> {
  const { width, height } = page.viewportSize()!;
  await page.mouse.move(width / 2, height / 2);
  for (const end = performance.now() + ms; performance.now() < end; await sleep(16)) await page.mouse.wheel(0, 120);
}

/** From the key to the frame that shows what it left. */
async function measureFilter(page: Page, picture: (what: string) => unknown): Promise<void> {
  const box = page.getByRole('searchbox', { name: 'Filter sessions' });
  const times: number[] = [];
  for (const text of ['refactor', 'state:idle', 'project:app', 'zzzz']) {
    await box.fill('');
    await sleep(300);
    times.push(await timeInPage(page, () => box.fill(text)));
    await picture(`filter-${text.replace(/\W/g, '-')}`);
  }
  await box.fill('');
  report('desktop: a filter typed, until drawn', times);
}

async function measurePalette(page: Page, picture: (what: string) => unknown): Promise<void> {
  const times: number[] = [];
  for (const text of ['fix', 'refactor', 'flag']) {
    await page.keyboard.press('Control+k');
    const box = page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox');
    await box.waitFor();
    times.push(await timeInPage(page, () => box.fill(text)));
    await picture(`palette-${text}`);
    await page.keyboard.press('Escape');
    await sleep(200);
  }
  report('a word in the palette, until drawn', times);
}

async function timeInPage(page: Page, act: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await act();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  return performance.now() - start;
}

function report(what: string, times: number[]): void {
  console.log(`| ${what} | ${median(times).toFixed(0)} ms (${times.map((ms) => ms.toFixed(0)).join(', ')}) |`);
}

function frames(what: string, deltas: number[]): void {
  const shown = [median(deltas), percentile(deltas, 99), Math.max(...deltas)].map((ms) => ms.toFixed(1));
  console.log(`| ${what} | median ${shown[0]} ms, p99 ${shown[1]} ms, worst ${shown[2]} ms |`);
}
