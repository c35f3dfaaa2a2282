import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../kit/browser.ts';
import { startDaemonWithHooks } from '../kit/daemon-with-hooks.ts';
import { hasFocus } from '../kit/keyboard.ts';
import { openPage } from '../kit/open-page.ts';
import { waitFor } from '../kit/wait.ts';

const LONG = Array.from({ length: 30 }, (_, line) => `echo "line ${line}"`).join(' \\\n  && ');

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function askedOnBoard(command: string) {
  const tower = await startDaemonWithHooks();
  await tower.hook.start('s1', 'Tidy up');
  void tower.hook.ask('s1', command, 't1');
  const page = await openPage(browser, tower);
  const card = page.getByRole('region', { name: /Needs You/ }).getByRole('article');
  await card.getByRole('button', { name: 'Allow' }).waitFor();
  return { ...tower, page, card };
}

const focusOn = (locator: Locator, what: string) => waitFor(() => hasFocus(locator), { what });

test('a dialog focuses its first field, and restores the focus however it is closed', async () => {
  const { page, card, hook } = await askedOnBoard('touch a.txt');
  const always = card.getByRole('button', { name: 'Always…' });
  const dialog = page.getByRole('dialog', { name: /Always allow Bash/ });
  for (const leave of ['Cancel', 'Close', 'Escape']) {
    await always.click();
    await focusOn(dialog.getByRole('textbox', { name: 'Tool' }), 'the focus in the first field');
    if (leave === 'Escape') await page.keyboard.press('Escape');
    else await dialog.getByRole('button', { name: leave }).click();
    await dialog.waitFor({ state: 'detached' });
    await focusOn(always, `the focus back after ${leave}`);
  }

  void hook.start('s2', 'And this');
  void hook.ask('s2', 'touch b.txt', 't2');
  await page.getByRole('link', { name: 'Inbox' }).click();
  const list = page.getByRole('list', { name: 'Waiting' });
  await list.getByText('touch b.txt', { exact: true }).waitFor();
  for (const box of await list.getByRole('checkbox').all()) await box.check();
  const allow = page.getByRole('button', { name: 'Allow…' });
  await allow.click();
  const batch = page.getByRole('dialog', { name: 'Allow 2 requests?' });
  await focusOn(batch.getByRole('button', { name: 'Cancel' }), 'the focus on Cancel');
  await page.keyboard.press('Enter');
  await batch.waitFor({ state: 'detached' });
  await focusOn(allow, 'the focus back on the button');
});

test('a denial reason can be left and resumed by keyboard', async () => {
  const { page, card } = await askedOnBoard('touch a.txt');
  const because = card.getByRole('button', { name: 'Deny because…' });
  const reason = card.getByRole('textbox', { name: /Why not/ });
  await because.click();
  await focusOn(reason, 'the focus in the field');
  await page.keyboard.type('Not on');
  await page.keyboard.press('Escape');
  await focusOn(because, 'the focus on the button after Esc');
  await page.keyboard.press('Enter');
  await focusOn(reason, 'the focus in the field that has words');
  await page.keyboard.type(' a Friday');
  expect(await reason.inputValue()).toBe('Not on a Friday');
  await card.getByRole('button', { name: 'Back' }).click();
  await focusOn(because, 'the focus on the button after Back');
});

test('a rule draft survives an accidental click, and only Cancel discards it', async () => {
  const tower = await startDaemonWithHooks();
  const page = await openPage(browser, { ...tower, path: '/rules' });
  const editor = page.getByRole('dialog', { name: 'New rule' });
  const reason = editor.getByLabel('Reason');
  const open = async () => {
    await page.getByRole('button', { name: 'New rule' }).click();
    await reason.waitFor();
  };
  await open();
  await reason.fill('Because it is Friday, and nobody is here');
  await dragBeyond(page, reason, editor);
  expect(await reason.inputValue()).toBe('Because it is Friday, and nobody is here');
  for (const slip of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 5)]) {
    await slip();
    await editor.waitFor({ state: 'detached' });
    await open();
    await editor.getByText('Unsaved draft').waitFor();
    expect(await reason.inputValue()).toBe('Because it is Friday, and nobody is here');
  }
  await editor.getByRole('button', { name: 'Cancel' }).click();
  await open();
  expect([await reason.inputValue(), await editor.getByText('Unsaved draft').count()]).toEqual(['', 0]);
});

test('a command longer than its box says so and can be shown in full, also as a pattern', async () => {
  const { page, card } = await askedOnBoard(LONG);
  const box = card.getByRole('region', { name: 'Command' });
  const isWhole = () => box.evaluate((element) => element.scrollHeight <= element.clientHeight + 1);
  await card.getByRole('button', { name: 'Show full command' }).click();
  await waitFor(isWhole, { what: 'the whole command' });
  await card.getByRole('button', { name: 'Show less' }).click();
  await waitFor(async () => !(await isWhole()), { what: 'the low box' });

  await card.getByRole('button', { name: 'Show full command' }).click();
  await card.getByRole('button', { name: 'Always…' }).click();
  const dialog = page.getByRole('dialog', { name: /Always allow Bash/ });
  await dialog.getByText('Covers this call.').waitFor();
  const pattern = dialog.getByRole('textbox', { name: /Command/ });
  expect(await pattern.evaluate((field) => field.clientHeight)).toBeGreaterThan(60);
  expect((await dialog.textContent())!.split('line 29').length - 1).toBe(1);
});

/** Selects text with the mouse and releases outside. */
async function dragBeyond(page: Page, field: Locator, dialog: Locator) {
  const from = (await field.boundingBox())!;
  const edge = (await dialog.boundingBox())!;
  await page.mouse.move(from.x + 30, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(edge.x - 20, from.y + from.height / 2, { steps: 4 });
  await page.mouse.up();
}
