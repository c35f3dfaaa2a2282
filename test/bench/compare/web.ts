import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../kit/browser.ts';
import { startDaemonProcess } from '../../kit/daemon-process.ts';
import { percentile, sleep } from '../../kit/generate-load.ts';
import { frameTimes, interactiveAfter, loadedBytes, signIn } from '../page/measure-page.ts';
import { playSessions } from '../page/play-sessions.ts';
import { inTurn, Rounds, type Side } from './sides.ts';

const SESSIONS = 1000;
const RATE = 500;
const FRAME_SECONDS = 6;

/** First load and frame times with a thousand sessions. */
export async function compareWeb(sides: readonly Side[], rounds: number): Promise<void> {
  const browser = await launchBrowser({ whole: true });
  const boards: Awaited<ReturnType<typeof openBoard>>[] = [];
  try {
    for (const side of sides) boards.push(await openBoard(browser, side));
    const boardOf = (side: Side) => boards.find((one) => one.side === side)!;
    const size = new Rounds('JavaScript of the first page, gzip', 'KB');
    for (const side of sides) size.add(side, (await loadedBytes(boardOf(side).context, boardOf(side).url)) / 1024);
    size.print();
    const load = new Rounds(`first card with ${SESSIONS} sessions`, 'ms');
    for (let round = -1; round < rounds * 2; round++)
      for (const side of inTurn(sides, round)) {
        const ms = await interactiveAfter(boardOf(side).context, boardOf(side).url);
        if (round >= 0) load.add(side, ms);
      }
    load.print();
    const [mid, slow] = [50, 99].map((p) => new Rounds(`frames at ${RATE} updates/s: p${p}`, 'ms'));
    for (let round = 0; round < rounds; round++)
      for (const side of inTurn(sides, round)) {
        const times = await boardOf(side).framesUnderLoad();
        mid!.add(side, percentile(times, 50));
        slow!.add(side, percentile(times, 99));
      }
    mid!.print();
    slow!.print();
  } finally {
    await browser.close();
    for (const { daemon } of boards) await daemon.dispose();
  }
}

async function openBoard(browser: Browser, side: Side) {
  const daemon = await startDaemonProcess({ args: ['--hooks'], from: side.from });
  const play = (options: { rate: number; count?: number; signal?: AbortSignal }) =>
    playSessions(() => daemon, { sessions: SESSIONS, ...options });
  await play({ count: SESSIONS * 12, rate: Number.POSITIVE_INFINITY });
  const context = await signIn(browser, daemon);

  async function framesUnderLoad(): Promise<number[]> {
    const page = await context.newPage();
    await page.goto(daemon.url);
    await page.locator('[data-card]').first().waitFor();
    const stop = new AbortController();
    const fleet = play({ rate: RATE, signal: stop.signal });
    await sleep(3_000);
    const times = await frameTimes(page, FRAME_SECONDS);
    stop.abort();
    await fleet;
    await page.close();
    return times;
  }

  return { side, url: daemon.url, daemon, context, framesUnderLoad };
}
