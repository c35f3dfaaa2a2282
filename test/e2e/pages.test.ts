import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Rule } from '../../src/contract/rules.ts';
import { launchBrowser } from '../kit/browser.ts';
import { apiCaller } from '../kit/call-api.ts';
import { type DaemonProcess, startDaemonProcess } from '../kit/daemon-process.ts';
import { waitFor } from '../kit/wait.ts';

let browser: Browser;
let daemon: DaemonProcess;
let call: ReturnType<typeof apiCaller>;
let page: Page;

beforeAll(async () => {
  [browser, daemon] = await Promise.all([launchBrowser(), startDaemonProcess({ args: ['--no-hooks'] })]);
  call = apiCaller(daemon);
  for (const [n, command] of ['npm run build', 'npm run lint', 'git push --force'].entries()) {
    const tool = { tool_use_id: `t${n}`, tool_name: 'Bash', tool_input: { command } };
    await hook({ hook_event_name: 'PreToolUse', ...tool });
    await hook({ hook_event_name: 'PostToolUse', ...tool, tool_response: {}, duration_ms: 1 });
  }
  page = await (await browser.newContext({ acceptDownloads: true })).newPage();
  await page.goto((await call('POST', '/api/links', { role: 'admin' })).json.url);
  await page.getByRole('status').getByText('Live').first().waitFor();
});
afterAll(async () => {
  await browser.close();
  await daemon.dispose();
});

const rules = async () => (await call('GET', '/api/rules')).json.rules as Rule[];

it('a rule is tried on recent calls while it is typed, then saved, changed, deleted and restored, by keyboard', async () => {
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.getByRole('heading', { name: 'No rules yet' }).waitFor();
  const builtIn = page.getByRole('region', { name: 'Built in' }).getByRole('article');
  await builtIn.getByText('Commands that run gctl').waitFor();
  expect(await builtIn.count()).toBe(5);
  await page.keyboard.press('n');
  const editor = page.getByRole('dialog', { name: 'New rule' });
  await editor.getByLabel('Pattern for command').fill('npm run *');
  await editor.getByText('Matches 2 of the last 3 calls.').waitFor();
  await editor.getByLabel('Reason').fill('Scripts are fine');
  await page.keyboard.press('Enter');
  await editor.waitFor({ state: 'detached' });
  await page.getByRole('article').getByText('npm run *').waitFor();
  expect(await rules()).toMatchObject([{ decision: 'allow', reason: 'Scripts are fine', version: 1 }]);

  await page.getByRole('button', { name: 'Edit' }).click();
  const change = page.getByRole('dialog', { name: 'Edit rule' });
  await change.getByRole('radio', { name: 'Deny' }).click();
  await change.getByRole('button', { name: 'Save' }).click();
  await change.waitFor({ state: 'detached' });
  await waitFor(async () => (await rules())[0]?.decision === 'deny', { what: 'the change' });

  await page.getByRole('button', { name: /^More actions for the .* rule$/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await waitFor(async () => (await rules()).length === 0, { what: 'the rule to be gone' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('article').getByText('npm run *').waitFor();
});

it('reviews uncovered calls by keyboard, and turns one into a rule', async () => {
  await page.getByRole('link', { name: 'Reviews' }).click();
  const list = page.getByRole('list', { name: 'Calls to review' });
  await list.getByText('git push').first().waitFor();
  while (!(await focusedRow()).includes('git push')) await page.keyboard.press('j');
  await page.keyboard.press('d');
  const editor = page.getByRole('dialog', { name: 'New rule' });
  expect(await editor.getByLabel('Pattern for command').inputValue()).toContain('git push');
  await editor.getByRole('button', { name: 'Create rule' }).click();
  await list.getByText('git push').first().waitFor({ state: 'detached' });
  expect(
    (await rules()).some(
      ({ decision, pattern }) => decision === 'deny' && pattern.parameters.command?.includes('git push'),
    ),
  ).toBe(true);
});

it('the audit log says who did what, and can be exported', async () => {
  await page.getByRole('link', { name: 'Audit' }).click();
  const entry = page.getByRole('article').filter({ hasText: 'Rule created' }).first();
  await entry.getByRole('button').click();
  await entry.getByText(/^Entry \d+/).waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /CSV/ }).click();
  const text = readFileSync(await (await download).path(), 'utf8');
  expect(text).toMatch(/^seq,at,action/);
  expect(text).toContain('rule.created');
});

it('signs a device in with a link and revokes it', async () => {
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('radio', { name: 'View only' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = await page.getByText(/\/pair\?code=/).textContent();
  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    userAgent: 'Mozilla/5.0 (iPhone) Safari',
  });
  const guest = await phone.newPage();
  await guest.goto(link ?? '');
  await guest.getByRole('status').getByText('Live').first().waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Revoke Safari on iPhone' }).click();
  await guest.getByRole('heading', { name: 'Sign in to Ground Control' }).waitFor();
  await phone.close();
});

it('custom prices are saved and can be reset', async () => {
  await page.getByRole('button', { name: 'Add a model' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set a model price' });
  await dialog.getByLabel('Model ID').fill('claude-next-9');
  for (const [name, usd] of [
    ['Input', '3'],
    ['Output', '15'],
    ['Cache read', '0.3'],
    ['Cache write, 5 minutes', '3.75'],
    ['Cache write, 1 hour', '6'],
  ] as const) {
    await dialog.getByRole('spinbutton', { name, exact: true }).fill(usd);
  }
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Remove your price for claude-next-9' }).click();
  await page.getByRole('rowheader', { name: /claude-next-9/ }).waitFor({ state: 'detached' });
  expect((await call('GET', '/api/prices')).json.overrides).toEqual([]);
});

it('an app address opens its page, and an unknown one says so', async () => {
  await page.goto(`${daemon.url}/audit`);
  await page.getByRole('heading', { name: 'Audit' }).waitFor();
  await page.goto(`${daemon.url}/nowhere`);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
});

it('the palette finds a page, a session and the search, by keyboard', async () => {
  const input = page.getByPlaceholder('Session, page or action…');
  await page.keyboard.press('Control+k');
  await input.fill('stati');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Statistics' }).waitFor();

  await page.keyboard.press('Control+k');
  await input.fill('s1');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${daemon.url}/sessions/s1`);

  await page.keyboard.press('Control+k');
  await input.fill('words of no session');
  await page.getByText('No results').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${daemon.url}/history?q=words*`);
});

function hook(payload: object) {
  return fetch(`${daemon.url}/api/live/hook`, {
    method: 'POST',
    headers: { 'x-groundcontrol-token': daemon.credentials.hookToken },
    body: JSON.stringify({ session_id: 's1', cwd: daemon.home, ...payload }),
  });
}

function focusedRow(): Promise<string> {
  return page.evaluate(() => document.activeElement?.closest('[data-review]')?.textContent ?? '');
}
