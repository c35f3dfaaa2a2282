import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RunnerDriver } from '../../src/contract/orchestration.ts';
import { RUNNER_FILES } from '../../src/contract/runner-names.ts';
import { launchBrowser } from '../kit/browser.ts';
import { type DaemonWithRunners, startDaemonWithRunners } from '../kit/daemon-with-runners.ts';
import type { ManualAnswer } from '../kit/manual-answer.ts';
import { openPage } from '../kit/open-page.ts';
import { live, say } from '../kit/scripted-answer.ts';
import { waitFor } from '../kit/wait.ts';

let browser: Browser;
let orchestra: DaemonWithRunners;
/** The model's current reply, by the prompt it answers. */
const answers = new Map<string, ManualAnswer>();
const byHand = (prompt: string) => ({ when: prompt, reply: [live((answer) => void answers.set(prompt, answer))] });
const answerTo = (prompt: string) => waitFor(() => answers.get(prompt), { what: `a request for "${prompt}"` });
beforeEach(() => answers.clear());

beforeAll(async () => {
  [browser, orchestra] = await Promise.all([
    launchBrowser(),
    startDaemonWithRunners([
      byHand('describe in claude'),
      byHand('describe in native'),
      byHand('survive in claude'),
      byHand('survive in native'),
      byHand('stop this one'),
      byHand('kill this one'),
      byHand('reveal a key'),
      { when: 'and now', reply: [say('That was the second answer.')] },
    ]),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await orchestra?.dispose();
});

describe.each<RunnerDriver>(['claude', 'native'])('a session hosted by a %s runner', (driver) => {
  test('shows its answer word by word in two tabs, once, and takes the next prompt', async () => {
    const prompt = `describe in ${driver}`;
    const { id } = await orchestra.start({ prompt, driver, model: 'claude-sonnet-5' });
    const page = await openPage(browser, { call: orchestra.call, path: `/sessions/${id}` });
    const answer = await answerTo(prompt);
    answer.thinking('First I look at the cranes.');
    await page.getByText('First I look at the cranes.').waitFor();

    answer.openText('Cranes **lift');
    const row = page.getByRole('article', { name: 'Response' }).last();
    await expect.poll(() => row.textContent()).toContain('Cranes');
    answer.more(' heavy** loads');
    await expect.poll(() => row.locator('strong').allTextContents()).toEqual(['lift heavy']);
    await watchFor(page, 'Cranes');

    // a second tab opens in the middle of the message
    const phone = await openPage(browser, {
      call: orchestra.call,
      path: `/sessions/${id}`,
      viewport: { width: 390, height: 844 },
      touch: true,
    });
    await phone.getByText('Cranes lift heavy loads').waitFor();
    answer.more(', and set them down. ');
    for (let line = 1; line <= 40; line++) answer.more(`\n\nLoad ${line} is down.`);
    for (const tab of [page, phone]) {
      await tab.getByText('Load 40 is down.').waitFor();
      expect(await distanceFromEnd(tab)).toBeLessThan(80);
    }
    expect(await row.getAttribute('aria-busy')).toBe('true');
    answer.end();

    await orchestra.reaches(id, 'succeeded');
    await expect.poll(() => row.getAttribute('aria-busy'), { timeout: 15_000 }).toBe(null);
    await expect.poll(() => row.locator('time').count()).toBe(1);
    expect(await seenBy(page)).toEqual({ missing: 0, double: 0, isSameRow: true });
    expect(await distanceFromEnd(page)).toBeLessThan(80);
    expect(await page.getByText('Load 40 is down.').count()).toBe(1);

    const box = phone.getByRole('textbox', { name: /^What (next|should)/ }).first();
    await box.fill('and now');
    await phone.getByRole('button', { name: 'Send' }).tap();
    for (const tab of [page, phone]) await tab.getByText('That was the second answer.').first().waitFor();
  });

  test('continues a message after the daemon was killed in the middle of it', async () => {
    const prompt = `survive in ${driver}`;
    const { id } = await orchestra.start({ prompt, driver, model: 'claude-sonnet-5' });
    const page = await openPage(browser, { call: orchestra.call, path: `/sessions/${id}` });
    const answer = await answerTo(prompt);
    answer.openText('Before the fall.');
    await page.getByText('Before the fall.').waitFor();
    await orchestra.daemon.kill('SIGKILL');
    answer.more(' While it was away.');
    await orchestra.restart();
    await page.getByText('Before the fall. While it was away.').waitFor({ timeout: 30_000 });
    answer.more(' And after.');
    await page.getByText('Before the fall. While it was away. And after.').waitFor();
    answer.end();
    await orchestra.reaches(id, 'succeeded');
    expect(await page.getByText('Before the fall.').count()).toBe(1);
  });
});

test('a stopped message is shown once, and one whose runner was killed says that the transcript does not have it', async () => {
  const stopped = await startWriting('stop this one');
  await orchestra.call('POST', `/api/sessions/${stopped.id}/stop`, {});
  await orchestra.reaches(stopped.id, 'cancelled', 'failed', 'succeeded');
  await expect.poll(() => stopped.page.locator('[aria-busy=true]').count(), { timeout: 20_000 }).toBe(0);
  expect(await stopped.page.getByText('This sentence never').count()).toBe(1);

  const killed = await startWriting('kill this one');
  process.kill(runnerOf(killed.id), 'SIGKILL');
  await orchestra.reaches(killed.id, 'failed');
  await killed.page.getByText("It isn't in the transcript.").waitFor({ timeout: 20_000 });

  async function startWriting(prompt: string) {
    const { id } = await orchestra.start({ prompt });
    const page = await openPage(browser, { call: orchestra.call, path: `/sessions/${id}` });
    const answer = await answerTo(prompt);
    answer.openText('This sentence never');
    await page.getByText('This sentence never').waitFor();
    return { id, page };
  }
});

function runnerOf(sessionId: string): number {
  const folders = readdirSync(orchestra.runnersDir).map((name) => join(orchestra.runnersDir, name));
  const folder = folders.find((one) => readFileSync(join(one, RUNNER_FILES.spec), 'utf8').includes(sessionId));
  return JSON.parse(readFileSync(join(folder ?? '', RUNNER_FILES.processes), 'utf8')).runner.pid;
}

test('a viewer gets no live text, because a secret split across two deltas would not be masked', async () => {
  const { id } = await orchestra.start({ prompt: 'reveal a key' });
  const page = await openPage(browser, { call: orchestra.call, path: `/sessions/${id}`, role: 'viewer' });
  const operator = await openPage(browser, { call: orchestra.call, path: `/sessions/${id}` });
  const answer = await answerTo('reveal a key');
  answer.openText('The key is sk-ant-api03-');
  await operator.getByText('sk-ant-api03-').waitFor();
  answer.more('abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-abcdefghijklmnop');
  await operator.getByText('wxyz0123456789').waitFor();
  expect(await page.getByText('The key is').count()).toBe(0);
  answer.end();
  await page.getByText('The key is').first().waitFor();
  expect(await page.locator('body').textContent()).not.toContain('wxyz0123456789');
});

const distanceFromEnd = (page: Page) =>
  page
    .getByRole('region', { name: 'Conversation', exact: true })
    .evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight);

/** Counts frames in which the text is missing or duplicated, and records whether its row was rebuilt. */
async function watchFor(page: Page, text: string): Promise<void> {
  await page.evaluate((needle) => {
    const count = () => document.querySelector('.conversation')?.textContent?.split(needle).length ?? 1;
    const articles = [...document.querySelectorAll('article')];
    const row = articles.findLast((one) => one.textContent?.includes(needle));
    const seen = { missing: 0, double: 0, isSameRow: true };
    Object.assign(window, { seen });
    const look = () => {
      const times = count() - 1;
      if (times === 0) seen.missing++;
      if (times > 1) seen.double++;
      seen.isSameRow = row?.isConnected ?? false;
      requestAnimationFrame(look);
    };
    look();
  }, text);
}

const seenBy = (page: Page) => page.evaluate(() => (window as unknown as { seen: object }).seen);
