import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { launchBrowser } from '../kit/browser.ts';
import { apiCaller } from '../kit/call-api.ts';
import { checkout, cleanEnv, type DaemonProcess, startDaemonProcess } from '../kit/daemon-process.ts';
import { openPage } from '../kit/open-page.ts';
import { openTerminal } from '../kit/terminal.ts';

const GCTL = `${process.execPath} ${join(checkout, 'dist', 'gctl.js')}`;

let daemon: DaemonProcess;
let browser: Browser;
beforeAll(async () => {
  [daemon, browser] = await Promise.all([startDaemonProcess(), launchBrowser()]);
  await fetch(`${daemon.url}/api/live/hook`, {
    method: 'POST',
    headers: { 'x-groundcontrol-token': daemon.credentials.hookToken },
    body: JSON.stringify({ session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt: 'Start a tmux for me' }),
  });
});
afterAll(async () => {
  await browser.close();
  await daemon.dispose();
});

/** As in a tmux that the session started, where every window carries the session's mark. */
async function openMarkedShell() {
  const env = {
    ...cleanEnv(daemon.home),
    CLAUDE_CODE_SESSION_ID: 's1',
    AI_AGENT: 'claude-code_2-1-325_agent',
    PS1: '$ ',
  };
  const terminal = await openTerminal({ command: ['sh'], cwd: daemon.home, env });
  onTestFinished(terminal.dispose);
  const run = async (...args: string[]) => {
    await terminal.type(`clear; ${GCTL} ${args.join(' ')}`);
    await terminal.press('Enter');
  };
  const codeOf = async () => {
    const screen = await terminal.waitForScreen(/the code \w{6}/);
    return /the code (\w{6})/.exec(screen.replaceAll('\n', ' '))?.[1] ?? '';
  };
  return { ...terminal, run, codeOf };
}

const settings = async (): Promise<Page> => openPage(browser, { call: apiCaller(daemon), path: '/settings' });

test('a terminal that a session may have opened can act once it is confirmed on the board', async () => {
  const terminal = await openMarkedShell();
  const page = await settings();
  await terminal.run('away', 'on');
  const code = await terminal.codeOf();
  // it appears without a reload
  const waiting = page.getByRole('region', { name: 'Waiting for your confirmation' });
  await waiting.getByText(code, { exact: true }).waitFor();
  expect(await waiting.textContent()).toContain('Start a tmux for me');
  await waiting.getByRole('button', { name: `Confirm ${code}` }).click();
  await waiting.waitFor({ state: 'detached' });
  await terminal.run('away', 'on');
  await terminal.waitForScreen(/Away mode is on/);
  await terminal.run('away', 'off');
  await terminal.waitForScreen(/Away mode is off/);

  const audit = (await apiCaller(daemon)('GET', '/api/audit?limit=1000')).json.entries as {
    action: string;
    by: string;
  }[];
  expect(audit.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['access.asked', 'access.refused', 'access.confirmed', 'access.paired', 'away.set']),
  );
});

test('a rejected terminal stays locked out, and asks with another code', async () => {
  const terminal = await openMarkedShell();
  const page = await settings();
  await terminal.run('away', 'on');
  const code = await terminal.codeOf();
  await page.getByRole('listitem').filter({ hasText: code }).getByRole('button', { name: 'Not mine' }).click();
  await page.getByText(code, { exact: true }).waitFor({ state: 'detached' });
  await terminal.run('away', 'on');
  await expect.poll(terminal.codeOf).not.toBe(code);
});
