import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../kit/browser.ts';
import { type DaemonWithRunners, startDaemonWithRunners } from '../kit/daemon-with-runners.ts';
import { openPage } from '../kit/open-page.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { waitFor } from '../kit/wait.ts';

let orchestra: DaemonWithRunners;
let browser: Browser;
/** A folder for screenshots. Without it, none are taken. */
const pictures = process.env.SCREENSHOTS;

const serve = 'echo listening on 3000; echo "no favicon" >&2; while [ ! -e done ]; do sleep 0.1; done; echo bye';

beforeAll(async () => {
  orchestra = await startDaemonWithRunners([
    {
      when: 'serve',
      reply: [callTool('Bash', { command: serve }), callTool('Bash', { command: 'sleep 300' }), say('It is up.')],
    },
    {
      when: 'fix the sum',
      reply: [
        callTool('Read', { file_path: 'sum.js' }),
        callTool('Edit', { file_path: 'sum.js', old_string: 'a - b', new_string: 'a + b' }),
        callTool('Bash', { command: 'node sums.js' }),
        callTool('Bash', { command: 'echo serving; sleep 300' }),
        callTool('AskUserQuestion', {
          questions: [{ question: 'Stop the server?', header: 'Server', options: [{ label: 'Yes' }, { label: 'No' }] }],
        }),
        (request) =>
          callTool('KillShell', { shell_id: /shell ID: (sh-\w+)/.exec(JSON.stringify(request.messages))?.[1] ?? '' }),
        say('Fixed the **sum**.'),
      ],
    },
  ]);
  writeFileSync(join(orchestra.project, 'sum.js'), 'console.log(((a, b) => a - b)(2, 3));\n');
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await orchestra?.dispose();
});

test('the page allows a command, streams its output, sends it to the background, searches it and kills it', async () => {
  const { id } = await orchestra.start({ prompt: 'serve it', driver: 'native', model: 'claude-sonnet-5' });
  await waitFor(async () => (await orchestra.pending(id)).length > 0, { what: 'an approval' });
  const page = await openPage(browser, { call: orchestra.call, path: `/sessions/${id}` });
  await page.getByRole('button', { name: 'Run in background' }).waitFor();
  await picture(page, 'approval');
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.getByRole('link', { name: 'Shells' }).click();

  const output = page.getByRole('log', { name: 'Output' });
  await output.getByText('listening on 3000').waitFor();
  await expect.poll(() => output.locator('[data-stream="stderr"]').textContent()).toContain('no favicon');
  await page.getByText('Why is it still running?').click();
  await page.getByText('sleep 0.1').first().waitFor();
  await picture(page, 'shells');
  await page.getByRole('button', { name: 'Send to background' }).click();
  await page.getByText('In the background').first().waitFor();

  // the turn continued: the next command asks
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
});

test('completes a task in the page: a diff before the edit, an edited command, a background server, a question', async () => {
  const { id } = await orchestra.start({ prompt: 'fix the sum', driver: 'native', model: 'claude-sonnet-5' });
  const page = await openPage(browser, { call: orchestra.call, path: `/sessions/${id}` });
  const allow = page.getByRole('button', { name: 'Allow', exact: true });
  await page.getByText('a + b').first().waitFor();
  expect(readFileSync(join(orchestra.project, 'sum.js'), 'utf8')).toContain('a - b');
  await picture(page, 'edit');
  await allow.click();

  await page.getByText('node sums.js').first().waitFor();
  await page.getByRole('button', { name: 'Edit…' }).click();
  await page.getByLabel('Run this instead').fill('node sum.js');
  await picture(page, 'edit-command');
  await page.getByRole('button', { name: 'Allow edited' }).click();

  await page.getByRole('button', { name: 'Run in background' }).click();
  await page.getByRole('radio', { name: 'Yes' }).check();
  await picture(page, 'question');
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  await orchestra.reaches(id, 'succeeded', 'failed');
  expect(await orchestra.result(id)).toMatchObject({ text: 'Fixed the **sum**.' });
  const sent = JSON.stringify(orchestra.api.requests.at(-1)?.body.messages);
  expect(sent).toContain('The operator edited this call');
  expect(sent).toContain('Command moved to background');
  expect(sent).toContain('Stop the server?\\nYes');
  expect(sent).toContain('Nothing it started is still running');

  await page.getByRole('link', { name: 'Timeline' }).click();
  const times = page.getByRole('table', { name: 'Tool times' });
  await times.getByRole('row', { name: /^Bash 2 0/ }).waitFor();
  await times.getByRole('row', { name: /^Edit 1 0/ }).waitFor();
  await picture(page, 'timeline');
  await page.getByRole('link', { name: 'Decisions' }).click();
  await page.getByText(/\d+ approved/).waitFor();
  await picture(page, 'decisions');
});

async function picture(page: Page, name: string) {
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
