import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../kit/browser.ts';
import { type DaemonWithRunners, startDaemonWithRunners } from '../kit/daemon-with-runners.ts';
import { openPage } from '../kit/open-page.ts';
import { makeRepository } from '../kit/project.ts';
import { callTool, say, thinkForever } from '../kit/scripted-answer.ts';
import { takeScreenshot } from '../kit/take-screenshot.ts';

const PHONE = { viewport: { width: 390, height: 844 }, touch: true };

let browser: Browser;
let orchestra: DaemonWithRunners;
beforeAll(async () => {
  [browser, orchestra] = await Promise.all([
    launchBrowser(),
    startDaemonWithRunners([
      {
        when: 'write the sum',
        reply: [
          (request) =>
            callTool('Write', { file_path: `${folderOf(request)}/sum.js`, content: 'let a = 1;\nlet b = 2;\n' }),
          say('Written.'),
        ],
      },
      {
        when: 'write it',
        reply: [
          ({ model }) => callTool('Bash', { command: `echo ${model} > by.txt; echo ${model} > ${model}.txt` }),
          ({ model }) => say(`Written by **${model}**.`),
        ],
      },
      { when: 'I reviewed your changes', reply: [say('I see both comments.')] },
      { when: 'think about it', reply: [thinkForever()] },
      { when: 'answer quickly', reply: [say('Quick.')] },
    ]),
  ]);
  makeRepository(orchestra.project, orchestra.daemon.home, { 'a.txt': 'a\n' });
});
afterAll(async () => {
  await browser?.close();
  await orchestra?.dispose();
});

const folderOf = (_request: unknown) => orchestra.project;

test('a blueprint is created, corrected, saved, started from and deleted in the editor, by keyboard and on the phone', async () => {
  const claude = join(orchestra.project, '.claude', 'agents');
  mkdirSync(claude, { recursive: true });
  writeFileSync(join(claude, 'scout.md'), '---\nname: scout\ndescription: Looks around.\n---\nLook around.\n');
  const { project } = orchestra;
  const page = await openPage(browser, {
    call: orchestra.call,
    path: `/agents?project=${encodeURIComponent(project)}`,
  });
  const file = join(project, '.groundcontrol', 'agents', 'tester', 'agent.json');

  await page.getByRole('region', { name: "Claude Code's, in this project" }).getByText('read-only').waitFor();
  await page.keyboard.press('n');
  await page.keyboard.type('tester');
  await page.keyboard.press('Enter');
  const config = page.getByRole('textbox', { name: /^agent\.json/ });
  await config.waitFor();
  expect(existsSync(file)).toBe(false);

  // an error names its file and line, and leads there
  await config.fill('{\n  "name": "tester",\n  "description": "Runs the tests.",\n  "model": 7\n}\n');
  const problem = page.getByRole('button', { name: /^agent\.json:4:/ });
  await problem.waitFor();
  expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await takeScreenshot(page, 'blueprint-error');
  await problem.click();
  expect(await config.evaluate((field) => (field as HTMLTextAreaElement).selectionStart)).toBe(58);
  await config.fill('{\n  "name": "tester",\n  "description": "Runs the tests.",\n  "allowedTools": ["Read"]\n}\n');
  await page.getByRole('textbox', { name: /^agent\.system-prompt\.md/ }).fill('You run the tests.\n');
  await expect.poll(() => page.getByRole('button', { name: 'Save' }).isEnabled()).toBe(true);
  // the draft survives a reload
  await page.reload();
  expect(await config.inputValue()).toContain('Runs the tests.');
  await config.press('Control+s');
  await page.getByText('Saved tester', { exact: true }).waitFor();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ description: 'Runs the tests.' });

  // someone else saves first: nothing is overwritten
  const phone = await openPage(browser, {
    call: orchestra.call,
    ...PHONE,
    path: new URL(page.url()).pathname + new URL(page.url()).search,
  });
  await phone
    .getByRole('textbox', { name: /^agent\.json/ })
    .fill('{"name": "tester", "description": "From the phone."}\n');
  await config.fill('{"name": "tester", "description": "From the desk."}\n');
  await expect.poll(() => phone.getByRole('button', { name: 'Save' }).isEnabled()).toBe(true);
  await phone.getByRole('button', { name: 'Save' }).tap();
  await phone.getByText('Saved tester', { exact: true }).waitFor();
  await page.getByText('These files changed on disk').waitFor();
  await config.press('Control+s');
  await page.getByRole('alert').first().waitFor();
  expect(readFileSync(file, 'utf8')).toContain('From the phone.');
  await page.getByRole('button', { name: 'Discard my changes and reload' }).click();
  await expect.poll(() => config.inputValue()).toContain('From the phone.');

  await page.getByRole('button', { name: 'Start session…' }).click();
  await expect.poll(() => page.getByRole('combobox', { name: 'Blueprint' }).inputValue()).toBe('tester');
  await page.keyboard.press('Escape');
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete blueprint' }).click();
  await page.getByText('Deleted tester', { exact: true }).waitFor();
  expect(existsSync(file)).toBe(false);

  // Claude Code's own agent can be read and copied, not changed
  await page.getByRole('link', { name: /^scout/ }).click();
  await page.getByText('Look around.').waitFor();
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Copy…' }).click();
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.getByRole('textbox', { name: /^agent\.system-prompt\.md/ }).inputValue())
    .toContain('Look around.');
});

test('a session shows who started it and whom it started, on its card and in a tree', async () => {
  const root = await orchestra.start({ name: 'root', prompt: 'think about it' });
  const child = await orchestra.start({ name: 'child', prompt: 'think about it', parentId: root.id });
  const done = await orchestra.start({ name: 'grandchild', prompt: 'answer quickly', parentId: child.id });
  await orchestra.reaches(done.id, 'succeeded');

  const page = await openPage(browser, { call: orchestra.call });
  const card = page.locator(`[data-session="${child.id}"]`);
  await card.getByRole('link', { name: 'root' }).waitFor();
  await card.getByRole('link', { name: 'Started 1 session' }).click();
  const rows = page.getByRole('table', { name: /^Sessions by/ }).getByRole('row');
  await expect.poll(() => rows.count()).toBe(4);
  await expect.poll(() => rows.nth(3).textContent()).toContain('Succeeded');
  expect(await page.locator('tr[aria-current]').textContent()).toContain('child (this session)');
  await takeScreenshot(page, 'tree');
  const added = await orchestra.start({ name: 'late', prompt: 'answer quickly', parentId: child.id });
  await page.getByRole('link', { name: 'late' }).waitFor();
  await orchestra.reaches(added.id, 'succeeded');
  await page.getByRole('link', { name: 'grandchild' }).click();
  await expect.poll(() => page.locator('tr[aria-current]').textContent()).toContain('grandchild (this session)');

  const phone = await openPage(browser, { call: orchestra.call, ...PHONE, path: `/sessions/${root.id}?tab=tree` });
  await phone.getByRole('link', { name: 'grandchild' }).waitFor();
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('comments on lines of a session’s changes go to it as one prompt', async () => {
  const { id } = await orchestra.start({ prompt: 'write the sum', allowedTools: ['Write'] });
  await orchestra.reaches(id, 'succeeded');
  const page = await openPage(browser, { call: orchestra.call, path: `/sessions/${id}?tab=changes` });
  await page.getByText('1 file changed').waitFor();
  await page.locator('summary', { hasText: 'sum.js' }).click();
  // by keyboard
  await page.getByRole('button', { name: 'Comment on line 1' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Use const.');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('article', { name: 'Comment on line 1' }).getByText('Use const.').waitFor();
  // on the phone
  const phone = await openPage(browser, { call: orchestra.call, ...PHONE, path: `/sessions/${id}?tab=changes` });
  await phone.locator('summary', { hasText: 'sum.js' }).tap();
  await phone.getByText('Use const.').waitFor();
  await phone.getByRole('button', { name: 'Comment on line 2' }).tap();
  await phone.getByRole('textbox', { name: 'Comment on line 2' }).fill('This one too.');
  await phone.getByRole('button', { name: 'Add comment' }).tap();
  await page.getByText('2 comments not sent yet').waitFor();
  await takeScreenshot(page, 'changes-comments');
  await takeScreenshot(phone, 'changes-comments-phone');
  await phone.getByRole('button', { name: /^Send to/ }).tap();
  await page
    .getByText(/sent .* ago/)
    .first()
    .waitFor();

  await page.getByRole('link', { name: 'Conversation' }).click();
  await page.getByText('I see both comments.').first().waitFor();
  const prompts = orchestra.api.requests.filter(({ turn }) => turn.prompt.includes('I reviewed your changes'));
  expect(prompts[0]?.turn.prompt).toMatch(
    /these 2 comments[\s\S]*line 1\n[\s\S]*Use const\.[\s\S]*line 2\n[\s\S]*This one too\./,
  );
});

test('a fan-out is started, compared side by side and decided in the page, by keyboard and on the phone', async () => {
  const models = ['claude-sonnet-4-5', 'claude-haiku-4-5'];
  const page = await openPage(browser, { call: orchestra.call });
  await page.keyboard.press('g');
  await page.keyboard.press('f');
  await page.getByText('No fan-outs yet').waitFor();
  await takeScreenshot(page, 'fan-outs-empty');
  const dialog = page.getByRole('dialog', { name: 'New fan-out' });
  await pressUntil(page, 'n', dialog);
  await dialog.getByLabel('Prompt').fill('write it');
  await dialog.getByLabel('Folder in a git repository').fill(orchestra.project);
  await dialog.getByLabel('Name').fill('race');
  for (const [index, model] of models.entries())
    await dialog
      .getByRole('group', { name: `Run ${index + 1}` })
      .getByLabel('Model')
      .fill(model);
  await dialog.getByText('More options').click();
  await dialog.getByLabel('Pre-approved tools, one per line').fill('Bash');
  await takeScreenshot(page, 'fan-out-new');
  await dialog.getByLabel('Name').press('Enter');
  await page.waitForURL(/\/fan-outs\/./);

  for (const model of models) await page.getByText(`Written by ${model}.`).waitFor({ timeout: 60_000 });
  await page.getByText('Choose one').waitFor({ timeout: 30_000 });
  await page.getByRole('heading', { name: '3 files changed' }).waitFor();
  const shared = page.locator('[data-file="by.txt"]');
  for (const model of models) await shared.locator('.diff-text', { hasText: model }).waitFor();
  await page.locator(`[data-file="${models[0]}.txt"]`).getByText('Not changed').waitFor();
  await takeScreenshot(page, 'fan-out');

  const phone = await openPage(browser, { call: orchestra.call, ...PHONE, path: new URL(page.url()).pathname });
  await phone.getByText(`Written by ${models[0]}.`).waitFor();
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await takeScreenshot(phone, 'fan-out-phone');

  // the second run, by keyboard
  await page.keyboard.press('l');
  await page.keyboard.press('l');
  await page.keyboard.press('Enter');
  const keep = page.getByRole('dialog', { name: 'Keep race-2' });
  await keep.waitFor();
  await takeScreenshot(page, 'fan-out-keep');
  await page.keyboard.press('Enter');
  await page.getByText('Kept race-2: merged into main').waitFor();
  await phone.getByText('Kept race-2: merged into main').waitFor();
  expect(readFileSync(join(orchestra.project, 'by.txt'), 'utf8')).toBe(`${models[1]}\n`);
  expect(await page.getByRole('button', { name: /^Keep/ }).count()).toBe(0);
});

/** Right after `g f` the key counts as part of a word, and nothing happens. */
async function pressUntil(page: Page, key: string, shown: Locator): Promise<void> {
  const press = async () => {
    await page.keyboard.press(key);
    return shown.isVisible();
  };
  await expect.poll(press, { interval: 1_000 }).toBe(true);
}
