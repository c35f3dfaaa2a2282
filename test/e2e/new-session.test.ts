import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../kit/browser.ts';
import { type DaemonWithRunners, startDaemonWithRunners } from '../kit/daemon-with-runners.ts';
import { openPage } from '../kit/open-page.ts';
import { callTool, say } from '../kit/scripted-answer.ts';

let browser: Browser;
let orchestra: DaemonWithRunners;
beforeAll(async () => {
  [browser, orchestra] = await Promise.all([
    launchBrowser(),
    startDaemonWithRunners([
      { when: 'make a file', reply: [callTool('Bash', { command: 'touch made.txt' }), say('Made it.')] },
      { when: 'and then', reply: [say('Nothing else.')] },
    ]),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await orchestra?.dispose();
});

test('a session is started, approved and prompted again in the page, by keyboard and by thumb', async () => {
  const folder = join(orchestra.project, '.groundcontrol', 'agents', 'maker');
  mkdirSync(folder, { recursive: true });
  const parameters = { type: 'object', properties: { language: { type: 'string' } }, required: ['language'] };
  writeFileSync(join(folder, 'agent.json'), JSON.stringify({ name: 'maker', description: 'Makes files.', parameters }));
  writeFileSync(join(folder, 'agent.system-prompt.md'), 'You write {{language}}.');

  const name = `first-${Date.now()}`;
  const page = await openPage(browser, { call: orchestra.call });
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'New session' });
  await dialog.getByLabel('Prompt').fill('make a file');
  await dialog.getByLabel('Folder').fill(orchestra.project);
  await dialog.getByLabel('Blueprint').selectOption('maker');
  await dialog.getByLabel('language').fill('Go');
  await dialog.getByLabel('Name (optional)').fill(name);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/sessions\//);
  await page
    .getByRole('button', { name: /^Allow/ })
    .first()
    .click();
  await orchestra.reaches(name, 'succeeded');
  await page.getByText('Made it.').first().waitFor();
  const request = orchestra.api.requests.find(({ kind }) => kind === 'turn');
  expect(JSON.stringify(request?.body.system)).toContain('You write Go.');

  const box = page.getByRole('textbox', { name: /^What (next|should)/ }).first();
  await box.fill('and then');
  await box.press('Enter');
  await page.getByText('Nothing else.').first().waitFor();

  const phone = await openPage(browser, { call: orchestra.call, viewport: { width: 390, height: 844 }, touch: true });
  await phone.getByRole('button', { name: 'New session' }).tap();
  const sheet = phone.getByRole('dialog', { name: 'New session' });
  await sheet.getByLabel('Prompt').fill('make a file');
  await sheet.getByLabel('Folder').fill('relative/path');
  await sheet.getByRole('button', { name: 'Start session' }).tap();
  expect(await sheet.isVisible()).toBe(true);
  await sheet.getByLabel('Folder').fill(orchestra.project);
  await sheet.getByLabel('Name (optional)').fill(name);
  await sheet.getByRole('button', { name: 'Start session' }).tap();
  await sheet.getByRole('alert').getByText(name).waitFor();
});
