import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Approval } from '../../src/contract/approvals.ts';
import type { Prompt } from '../../src/contract/prompts.ts';
import type { LiveSession } from '../../src/contract/sessions.ts';
import { launchBrowser } from '../kit/browser.ts';
import { startDaemonWithClient } from '../kit/daemon-with-client.ts';
import { startDaemonWithHooks } from '../kit/daemon-with-hooks.ts';
import { openPage } from '../kit/open-page.ts';
import { apiError, say } from '../kit/scripted-answer.ts';
import { waitFor } from '../kit/wait.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('edits a call before allowing it, and a plain yes keeps the edit', async () => {
  const tower = await startDaemonWithHooks();
  const { call, hook } = tower;
  await hook.start('s1', 'Ship it');
  void hook.ask('s1', 'git push --force', 't1');
  const page = await openPage(browser, tower);
  const card = page.getByRole('region', { name: /Needs You/ }).getByRole('article');
  await card.getByRole('button', { name: 'Edit…' }).click();
  const field = card.getByRole('textbox', { name: 'Run this instead' });
  expect(await field.inputValue()).toBe('git push --force');
  await field.fill('git push --dry-run');
  await card.locator('[data-card]').focus();
  await page.waitForTimeout(900);
  await page.keyboard.press('a');
  await page.getByText('you are editing this request').first().waitFor();
  await card.getByRole('button', { name: 'Allow edited' }).click();
  const decided = await waitFor(
    async () => ((await call('GET', '/api/approvals?status=decided')).json.approvals as Approval[])[0],
    { what: 'the decision' },
  );
  expect(decided.decision).toMatchObject({ decision: 'allow', updatedInput: { command: 'git push --dry-run' } });
});

test('hides a session from its card, and undo brings it back', async () => {
  const tower = await startDaemonWithHooks();
  const { call, hook } = tower;
  for (const id of ['s1', 's2']) {
    await hook.start(id, `Session ${id}`);
    await hook.send({ session_id: id, hook_event_name: 'Stop' });
  }
  const page = await openPage(browser, tower);
  const card = (id: string) => page.locator(`[data-session="${id}"]`);
  const ids = async () => ((await call('GET', '/api/sessions')).json.sessions as LiveSession[]).map(({ id }) => id);
  await card('s1').getByRole('button', { name: 'Hide until new activity' }).click();
  await card('s1').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await card('s1').waitFor();
  expect((await ids()).sort()).toEqual(['s1', 's2']);

  await card('s2').getByRole('button', { name: 'Hide until new activity' }).click();
  await waitFor(async () => (await ids()).join() === 's1', { what: 'the session to be hidden for good' });
  expect(await card('s2').count()).toBe(0);
});

test('stops every running session at once, after listing them', async () => {
  const tower = await startDaemonWithHooks();
  const { call, hook } = tower;
  for (const id of ['s1', 's2', 's3']) await hook.start(id, `Session ${id}`);
  const page = await openPage(browser, tower);
  await page.getByRole('button', { name: 'Stop all…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Stop 3 sessions?' });
  expect(await dialog.textContent()).toMatch(/Session s1[\s\S]*Session s2|Session s2[\s\S]*Session s1/);
  await dialog.getByRole('button', { name: 'Stop 3 sessions' }).click();
  await page.getByText('Stopping 3 sessions').first().waitFor();
  const stops = async () =>
    ((await call('GET', '/api/sessions')).json.sessions as LiveSession[]).map(({ stop }) => stop !== null);
  await waitFor(async () => (await stops()).every(Boolean), { what: 'each to be told to stop' });
});

test('retries with one tap after an error, and the receipt says what was delivered', async () => {
  const world = await startDaemonWithClient([
    { when: 'break it', reply: [apiError(400, 'no such thing')] },
    { when: 'try again', reply: [say('It went well.')] },
  ]);
  const { client, call } = world;
  const id = await client.sessionId();
  const page = await openPage(browser, world);
  await client.prompt('break it');
  const card = page.getByRole('region', { name: /Needs You/ }).getByRole('article');
  await card.getByRole('button', { name: 'Retry' }).click();
  await client.waitForScreen(/It went well\./);
  const { prompts } = (await call('GET', `/api/sessions/${id}/prompts`)).json as { prompts: Prompt[] };
  expect(prompts).toMatchObject([{ status: 'delivered', text: 'That failed. Please try again.' }]);
  await page
    .locator(`[data-session="${id}"]`)
    .getByText(/Delivered/)
    .waitFor();
});
