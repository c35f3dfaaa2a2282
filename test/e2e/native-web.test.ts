import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../kit/browser.ts';
import { type DaemonWithRunners, startDaemonWithRunners } from '../kit/daemon-with-runners.ts';
import { openPage } from '../kit/open-page.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { waitFor } from '../kit/wait.ts';

let orchestra: DaemonWithRunners;
let browser: Browser;
/** Pictures for whoever looks at the pages; nothing is written without it. */
const pictures = process.env.SCREENSHOTS;

const serve = 'echo listening on 3000; echo "no favicon" >&2; while [ ! -e done ]; do sleep 0.1; done; echo bye';

beforeAll(async () => {
  orchestra = await startDaemonWithRunners([
    {
      when: 'serve',
      reply: [callTool('Bash', { command: serve }), callTool('Bash', { command: 'sleep 300' }), say('It is up.')],
    },
  ]);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await orchestra?.dispose();
});

test('the page allows a command, shows its output as it comes, sends it to the background, searches it and kills it', async () => {
  const { id } = await orchestra.start({ prompt: 'serve it', driver: 'native', model: 'claude-sonnet-5' });
  await waitFor(async () => (await orchestra.pending(id)).length > 0, { what: 'an approval' });
  const page = await openPage(browser, { call: orchestra.call, path: `/sessions/${id}` });
  await page.getByRole('button', { name: 'Run in background' }).waitFor();
  await picture('approval');
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.getByRole('link', { name: 'Shells' }).click();

  const output = page.getByRole('log', { name: 'Output' });
  await output.getByText('listening on 3000').waitFor();
  await expect.poll(() => output.locator('[data-stream="stderr"]').textContent()).toContain('no favicon');
  await page.getByText('Why is it still running?').click();
  await page.getByText('sleep 0.1').first().waitFor();
  await picture('shells');
  await page.getByRole('button', { name: 'Send to background' }).click();
  await page.getByText('In the background').first().waitFor();

  // the turn went on: the next command asks
  const [next] = await waitFor(
    async () => {
      const found = await orchestra.pending(id);
      return found.length > 0 ? found : undefined;
    },
    { what: 'the next approval' },
  );
  await orchestra.decide(next!.id, { decision: 'allow', how: 'background' });
  await page.getByRole('button', { name: /sleep 300/ }).waitFor();

  await page.getByRole('button', { name: /listening/ }).click();
  await page.getByRole('searchbox', { name: 'Search the output' }).fill('FAVICON');
  await expect.poll(() => output.textContent()).toBe('stderr: no favicon');
  await page.getByRole('searchbox', { name: 'Search the output' }).fill('');
  await page.getByRole('button', { name: 'Kill' }).click();
  await page.getByText('Killed').first().waitFor();
  expect(existsSync(join(orchestra.project, 'done'))).toBe(false);

  const listed = await orchestra.gctl(['shells', id.slice(0, 8)]);
  expect(listed.stdout).toMatch(/sh-\w+ {2}in the background for .* sleep 300/);
  const [, shell = ''] = /(sh-\w+) {2}in the background/.exec(listed.stdout) ?? [];
  expect((await orchestra.gctl(['shells', id.slice(0, 8), shell, '--kill'])).stdout).toContain('nothing left running');
  expect((await orchestra.gctl(['shells', id.slice(0, 8), 'nope'])).code).toBe(1);

  async function picture(name: string) {
    if (!pictures) return;
    mkdirSync(pictures, { recursive: true });
    for (const scheme of ['light', 'dark'] as const)
      for (const [size, width, height] of [['desktop', 1440, 900] as const, ['phone', 390, 844] as const]) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height });
        await page.screenshot({ path: join(pictures, `${name}-${size}-${scheme}.png`) });
      }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
  }
});
