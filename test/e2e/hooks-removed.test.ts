import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { launchBrowser } from '../kit/browser.ts';
import { apiCaller } from '../kit/call-api.ts';
import { makeClientHome } from '../kit/client-home.ts';
import { startDaemonProcess } from '../kit/daemon-process.ts';
import { openPage } from '../kit/open-page.ts';
import { startInteractive } from '../kit/real-client.ts';
import { runGctl } from '../kit/run-gctl.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { startScriptedApi } from '../kit/scripted-api.ts';
import { waitFor } from '../kit/wait.ts';

test('restores hooks that a dotfiles checkout removes; gives up if something keeps removing them', async () => {
  const api = await startScriptedApi([
    { when: 'hello', reply: [callTool('Read', { file_path: 'README.md' }), say('Hello yourself.')] },
  ]);
  onTestFinished(api.close);
  const home = await makeClientHome({ apiUrl: api.url });
  onTestFinished(home.dispose);
  // settings.json as many people keep it: a link into a dotfiles repository
  const dotfiles = join(home.configDir, '..', 'dotfiles');
  const settingsFile = join(home.configDir, 'settings.json');
  const tracked = join(dotfiles, 'settings.json');
  mkdirSync(dotfiles);
  renameSync(settingsFile, tracked);
  symlinkSync(tracked, settingsFile);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], {
      cwd: dotfiles,
      env: { PATH: process.env.PATH, HOME: home.env.HOME },
      encoding: 'utf8',
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'Start');
  const original = readFileSync(tracked, 'utf8');

  const daemon = await startDaemonProcess({ args: ['--hooks'], env: { CLAUDE_CONFIG_DIR: home.configDir } });
  onTestFinished(daemon.dispose);
  const call = apiCaller(daemon);
  const gctl = (...args: string[]) => runGctl(daemon.home, args, { env: { CLAUDE_CONFIG_DIR: home.configDir } });
  const client = await startInteractive(home);
  onTestFinished(client.dispose);
  const id = await client.sessionId();
  const isThere = () => readFileSync(settingsFile, 'utf8').includes(`${daemon.url}/api/live/hook`);
  const untilThere = () => waitFor(isThere, { what: 'the hooks to be back', timeout: 30_000 });
  const turns = async () => (await call('GET', `/api/sessions/${id}`)).json.turnCount;

  // the token shows in the diff, and an http hook can't do without it, so we warn
  expect(git('diff')).toContain(daemon.credentials.hookToken);
  for (const command of [['hooks', 'status'], ['doctor']])
    expect((await gctl(...command)).stdout).toMatch(
      /settings\.json is in the git repository .*dotfiles and contains the hook token/,
    );
  git('update-index', '--skip-worktree', 'settings.json');
  expect((await gctl('hooks', 'status')).stdout).not.toContain('git repository');
  git('update-index', '--no-skip-worktree', 'settings.json');

  git('checkout', '--', 'settings.json');
  expect(readFileSync(settingsFile, 'utf8')).toBe(original);
  await untilThere();
  const audit = async () => (await call('GET', '/api/audit?order=newest&limit=20')).json.entries;
  await expect.poll(audit).toContainEqual(expect.objectContaining({ action: 'hooks.restored' }));
  // the running client picks them up again on its own
  await sleep(2500);
  await client.prompt('hello');
  await client.waitForScreen(/Hello yourself\./);
  await expect.poll(turns).toBe(1);
  expect((await gctl('status')).stdout).not.toContain('hooks');

  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await openPage(browser, { call });
  const banner = page.getByRole('complementary', { name: 'Hooks' });
  expect(await banner.isVisible()).toBe(false);
  // the checkout was the first removal; two more are restored
  for (let round = 0; round < 2; round++) {
    git('checkout', '--', 'settings.json');
    await untilThere();
  }
  git('checkout', '--', 'settings.json');
  await banner
    .getByText(/Another program keeps removing Ground Control's hooks from .*settings\.json/)
    .waitFor({ timeout: 30_000 });
  await sleep(2500);
  expect(readFileSync(settingsFile, 'utf8')).toBe(original);
  expect((await gctl('status')).stdout).toContain("Another program keeps removing Ground Control's hooks");
  expect(await gctl('hooks', 'status')).toMatchObject({ code: 1 });

  await banner.getByRole('button', { name: 'Review and install…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Install hooks' }).click();
  await banner.waitFor({ state: 'detached' });
  expect(isThere()).toBe(true);

  // broken JSON is reported and left unchanged
  writeFileSync(tracked, '{"model": "opus",}');
  await banner.getByText(/not valid JSON/).waitFor({ timeout: 30_000 });
  expect(readFileSync(tracked, 'utf8')).toBe('{"model": "opus",}');
  writeFileSync(tracked, original);
  await untilThere();
  await banner.waitFor({ state: 'detached' });
});
