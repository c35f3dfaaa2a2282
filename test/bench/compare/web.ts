import type { Browser } from 'playwright-core';
import { HOOK_TOKEN_HEADER } from '../../../src/daemon/access/guard.ts';
import { launchBrowser } from '../../kit/browser.ts';
import { startDaemonProcess } from '../../kit/daemon-process.ts';
import { percentile, sleep } from '../../kit/generate-load.ts';
import { playFleet } from '../../kit/simulator.ts';
import { frameTimes, interactiveAfter, loadedBytes, signIn } from '../page/measure-page.ts';
import { inTurn, Rounds, type Side } from './sides.ts';

const SESSIONS = 1000;
const RATE = 500;
const FRAME_SECONDS = 6;
const PERMISSION_MS = 200;

/** First load and frames, with a thousand sessions. */
export async function compareWeb(sides: readonly Side[], rounds: number): Promise<void> {
  const browser = await launchBrowser();
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
  const play = (options: { rate: number; count?: number; signal?: AbortSignal }) => {
    const run = playFleet({ sessions: SESSIONS, seed: 7, post, ...options });
    // the awaiting code gets the error; until then the page is measured
    run.catch(() => undefined);
    return run;
  };
  async function post(payload: { hook_event_name: string }): Promise<void> {
    const asks = payload.hook_event_name === 'PermissionRequest';
    try {
      const answer = await fetch(`${daemon.url}/api/live/hook`, {
        method: 'POST',
        headers: { [HOOK_TOKEN_HEADER]: daemon.credentials.hookToken },
        body: JSON.stringify(payload),
        ...(asks ? { signal: AbortSignal.timeout(PERMISSION_MS) } : {}),
      });
      await answer.arrayBuffer();
    } catch (error) {
      if (!asks || (error as Error).name !== 'TimeoutError') throw error;
    }
  }
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
