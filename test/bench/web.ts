import { cpus, totalmem } from 'node:os';
import type { CDPSession, Page } from 'playwright-core';
import { launchBrowser } from '../kit/browser.ts';
import { apiCaller } from '../kit/call-api.ts';
import { newHome, startDaemonProcess } from '../kit/daemon-process.ts';
import { median, percentile, sleep } from '../kit/generate-load.ts';
import { measureSteal } from '../kit/measure-steal.ts';
import { frameTimes, interactiveAfter, loadedBytes, signIn } from './page/measure-page.ts';
import { playSessions } from './page/play-sessions.ts';

/** Whether the page stays smooth, small and live with a thousand sessions and five hundred updates a second. */

const SESSIONS = Number(process.env.SESSIONS ?? 1000);
const RATE = 500;
const LOADS = 9;
const FRAME_SECONDS = 20;
const WARM_UP_MS = 180_000;
/** 0 skips the heap measurement, which takes most of the time. */
const HEAP_MINUTES = Number(process.env.HEAP_MINUTES ?? 5);

console.log(
  `# npm run bench web\n\n${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}; browser, daemon and fleet share them\n`,
);

const stolen = measureSteal();
const home = newHome();
let daemon = await startDaemonProcess({ home, args: ['--hooks'] });
const browser = await launchBrowser({ whole: true });
try {
  await play({ count: SESSIONS * 12, rate: Number.POSITIVE_INFINITY });
  const context = await signIn(browser, daemon);
  const page = await context.newPage();
  await page.goto(daemon.url);
  await page.getByText('Live', { exact: true }).first().waitFor();
  await measureLoad();
  await measureFrames(page);
  if (HEAP_MINUTES > 0) await measureHeap(page);
  await measureRestart(page);
  console.log(`\nOthers on the host took ${stolen()} of the processors' time.`);
} finally {
  await browser.close();
  await daemon.dispose();
}

/** In a browser with an empty cache. */
async function measureLoad(): Promise<void> {
  const { sessions: all } = (await apiCaller(daemon)('GET', '/api/sessions')).json;
  const sessions = all.length;
  const fresh = await signIn(browser, daemon);
  const bytes = await loadedBytes(fresh, daemon.url);
  const times: number[] = [];
  for (let round = 0; round < LOADS; round++) times.push(await interactiveAfter(fresh, daemon.url));
  await fresh.close();
  console.log('## First load\n');
  console.log(
    `JavaScript ${(bytes / 1024).toFixed(0)} KB gzip (aim 300); interactive with ${sessions} live sessions after ${median(times).toFixed(0)} ms (${times.map((ms) => ms.toFixed(0)).join(', ')}; aim 1000)`,
  );
}

async function measureFrames(page: Page): Promise<void> {
  const quiet = await frameTimes(page, FRAME_SECONDS / 2);
  const stop = new AbortController();
  const fleet = play({ rate: RATE, signal: stop.signal });
  await sleep(3_000);
  const busy = await frameTimes(page, FRAME_SECONDS);
  stop.abort();
  const { sent, elapsedMs } = await fleet;
  console.log(`\n## Frames with ${SESSIONS} live sessions\n`);
  console.log('| | median | p99 | worst |\n| --- | ---: | ---: | ---: |');
  console.log(`| no updates (the browser's own pace) | ${describe(quiet)} |`);
  console.log(`| ${Math.round(sent / (elapsedMs / 1000))} updates/s | ${describe(busy)} |`);
  console.log('\nAims: median 16.7 ms, p99 50 ms');
}

function describe(deltas: number[]): string {
  return [median(deltas), percentile(deltas, 99), Math.max(...deltas)].map((ms) => `${ms.toFixed(1)} ms`).join(' | ');
}

/** Collects garbage before each reading, so that only retained memory counts. */
async function measureHeap(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const stop = new AbortController();
  const fleet = play({ rate: RATE, signal: stop.signal });
  // until the code is compiled and the mix of session states is stable
  await sleep(WARM_UP_MS);
  const looks: Heap[] = [await heapOf(cdp)];
  for (let half = 0; half < HEAP_MINUTES * 2; half++) {
    await sleep(30_000);
    looks.push(await heapOf(cdp));
  }
  stop.abort();
  await fleet;
  console.log(`\n## Heap over ${HEAP_MINUTES} minutes at ${RATE} updates/s\n`);
  const sizes = looks.map(({ bytes }) => bytes);
  console.log(`MB, every 30 s: ${sizes.map((bytes) => (bytes / 2 ** 20).toFixed(1)).join(', ')}`);
  console.log(`Nodes of the page: ${looks.map(({ nodes }) => nodes).join(', ')}`);
  const half = Math.ceil(sizes.length / 2);
  const growth = median(sizes.slice(half)) / median(sizes.slice(0, half)) - 1;
  console.log(`Second half beside the first: ${growth >= 0 ? '+' : ''}${(growth * 100).toFixed(1)} % (aim: flat)`);
}

interface Heap {
  bytes: number;
  nodes: number;
}

async function heapOf(cdp: CDPSession): Promise<Heap> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize: bytes } = await cdp.send('Runtime.getHeapUsage');
  const { nodes } = await cdp.send('Memory.getDOMCounters');
  return { bytes, nodes };
}

/** The full cycle: stop or kill the old daemon and start a new one on its port. */
async function measureRestart(page: Page): Promise<void> {
  console.log('\n## From the end of one daemon to a page that is live with the next\n');
  console.log('| | p50 | worst of 5 |\n| --- | ---: | ---: |');
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const took: number[] = [];
    for (let round = 0; round < 5; round++) {
      const { port } = daemon;
      const from = performance.now();
      const live = page
        .locator('[data-phase="reconnecting"]')
        .first()
        .waitFor()
        .then(() => page.locator('[data-phase="live"]').first().waitFor())
        .then(() => took.push(performance.now() - from));
      await daemon.kill(signal);
      daemon = await startDaemonProcess({ home, args: ['--hooks', '--port', String(port)] });
      await live;
      await sleep(2_000);
    }
    console.log(`| ${signal} | ${median(took).toFixed(0)} ms | ${Math.max(...took).toFixed(0)} ms |`);
  }
  console.log('\nAim: 2000 ms');
}

function play(options: { rate: number; count?: number; signal?: AbortSignal }) {
  return playSessions(() => daemon, { sessions: SESSIONS, ...options });
}
