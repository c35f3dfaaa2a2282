import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Worktree } from '../../src/contract/worktrees.ts';
import { launchBrowser } from '../kit/browser.ts';
import { startDaemonWithHooks } from '../kit/daemon-with-hooks.ts';
import { openPage } from '../kit/open-page.ts';
import { makeProject } from '../kit/project.ts';
import { takeScreenshot } from '../kit/take-screenshot.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const CODE = `export function total(items) {
  let sum = 0;
  for (const item of items) sum += item.price;
  return sum;
}
`;

test('changes are read, commented on, sent, merged and removed from the page, by keyboard too', async () => {
  const { daemon, call, hook } = await startDaemonWithHooks();
  const project = makeProject(daemon.home, { 'src/total.js': CODE, '.gitignore': '.env\nnode_modules\n' });
  const { id, path } = (await call('POST', '/api/worktrees', { project: project.folder, name: 'fix-total' }))
    .json as Worktree;
  project.write(
    'src/total.js',
    CODE.replace('item.price', 'item.price * item.count').replace('let sum', 'let total'),
    path,
  );
  project.write('src/new.js', 'export const one = 1;\n', path);
  project.write('.env', 'SECRET=1\n', path);
  await hook.send({ session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt: 'Fix the total', cwd: path });
  await hook.send({ session_id: 's1', hook_event_name: 'Stop', cwd: path });

  const page = await openPage(browser, { call, path: '/worktrees' });
  await page.getByRole('link', { name: /fix-total/ }).waitFor();
  await takeScreenshot(page, 'worktrees');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'fix-total' }).waitFor();
  await page.getByText('2 files changed').waitFor();
  await page.getByText('item.price * item.count').waitFor();
  await takeScreenshot(page, 'worktree');
  await page.keyboard.press('s');
  await expect.poll(() => page.locator('.diff-pair').count()).toBeGreaterThan(0);
  // a comment, by keyboard alone
  await page.getByRole('button', { name: 'Comment on line 3' }).first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.keyboard.type('What if count is missing?');
  await page.keyboard.press('Control+Enter');
  await page.getByText('not sent yet').first().waitFor();
  expect((await call('GET', `/api/comments?kind=worktree&id=${id}`)).json.comments).toMatchObject([
    { path: 'src/total.js', side: 'new', text: 'What if count is missing?' },
  ]);
  await takeScreenshot(page, 'worktree-split');
  await page.getByRole('button', { name: /^Send to/ }).click();
  await page.getByText(/^Sent 1 comment/).waitFor();
  const { prompts } = (await call('GET', '/api/sessions/s1/prompts')).json;
  expect(prompts[0].text).toContain('1. src/total.js, line 3\n');

  await page.keyboard.press('m');
  const merging = page.getByRole('dialog', { name: 'Merge fix-total' });
  await merging.getByText('Adds one commit to main').waitFor();
  await takeScreenshot(page, 'worktree-merge');
  await merging.getByLabel('Commit message').fill('Multiply by count');
  await merging.getByRole('button', { name: 'Squash and merge into main' }).click();
  await expect.poll(() => project.git('log', '-1', '--format=%s')).toBe('Multiply by count');
  expect(readFileSync(join(project.folder, 'src/new.js'), 'utf8')).toContain('one');
  await merging.waitFor({ state: 'hidden' });

  await hook.send({ session_id: 's1', hook_event_name: 'SessionEnd', reason: 'other', cwd: path });
  await page.getByRole('button', { name: 'Remove…' }).click();
  const removing = page.getByRole('dialog', { name: 'Remove fix-total' });
  await removing.getByText('.env').waitFor();
  // the merged work is safe, and the session has ended
  await removing.getByRole('button', { name: 'Remove worktree' }).waitFor();
  await removing.getByRole('button', { name: 'Cancel' }).click();
  project.write('src/later.js', 'export const later = 1;\n', path);
  await page.getByRole('button', { name: 'Remove…' }).click();
  await removing.getByText("2 files that git doesn't track yet").waitFor();
  await takeScreenshot(page, 'worktree-remove');
  await removing.getByLabel(/Remove it anyway/).check();
  await removing.getByRole('button', { name: 'Remove anyway' }).click();
  await expect.poll(() => existsSync(path)).toBe(false);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => existsSync(join(path, '.env'))).toBe(true);
  await page.getByRole('link', { name: /fix-total/ }).waitFor();
});

test('the page fits a phone, and a viewer can only view it', async () => {
  const { daemon, call } = await startDaemonWithHooks();
  const project = makeProject(daemon.home, { 'src/total.js': CODE });
  const { id, path } = (await call('POST', '/api/worktrees', { project: project.folder, name: 'phone' }))
    .json as Worktree;
  project.write('src/total.js', CODE.replace('item.price', `item.price * ${'very_long_name_'.repeat(12)}count`), path);
  const at = { call, path: `/worktrees/${id}`, viewport: { width: 390, height: 844 }, touch: true };
  const page = await openPage(browser, at);
  await page.getByText('very_long_name_').waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
  await page.getByRole('button', { name: 'Comment on line 3' }).first().tap();
  await page.getByPlaceholder('Comment on line 3').fill('Too long');
  await page.getByRole('button', { name: 'Add comment' }).tap();
  await page.getByText('Too long').waitFor();
  await takeScreenshot(page, 'worktree-phone');

  const viewer = await openPage(browser, { ...at, role: 'viewer' });
  await viewer.getByText('very_long_name_').waitFor();
  expect(await viewer.getByRole('button', { name: 'Merge…' }).isDisabled()).toBe(true);
  expect(await viewer.getByRole('button', { name: 'Comment on line 3' }).first().isDisabled()).toBe(true);
});
