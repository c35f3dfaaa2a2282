import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../kit/browser.ts';
import { apiCaller } from '../kit/call-api.ts';
import { type DaemonProcess, startDaemonProcess } from '../kit/daemon-process.ts';
import { openPage } from '../kit/open-page.ts';
import { runGctl } from '../kit/run-gctl.ts';

let browser: Browser;
let daemon: DaemonProcess;
let call: ReturnType<typeof apiCaller>;
beforeAll(async () => {
  const env = { AGENT_ORCHESTRATOR_APPROVAL_TIMEOUT: '300' };
  [browser, daemon] = await Promise.all([launchBrowser(), startDaemonProcess({ args: ['--no-hooks'], env })]);
  call = apiCaller(daemon);
});
afterAll(async () => {
  await browser.close();
  await daemon.dispose();
});

const session_id = 'deployer';
const bash = (command: string) => ({ session_id, tool_name: 'Bash', tool_input: { command } });

it('shows a program’s request on the board, answers it there, and shows the decision on its page', async () => {
  const page = await openPage(browser, { call });
  await call('POST', '/events', { event_type: 'session_start', session_id, session_name: 'Deploy the site' });
  await call('POST', `/sessions/${session_id}/rules`, {
    pattern: { tool_name: 'Bash', parameters: { command: 'npm run *' } },
    decision: 'allow',
  });
  expect((await call('POST', '/request-approval', bash('npm run build'))).json.decision).toBe('allow');

  const answer = call('POST', '/request-approval', bash('make deploy'));
  const column = page.getByRole('region', { name: 'Needs you' });
  await column.getByText('Deploy the site').waitFor();
  await column.getByText('make deploy').first().waitFor();
  await page.goto(`${daemon.url}/sessions/${session_id}`);
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  expect((await answer).json.decision).toBe('allow');

  await page.getByRole('link', { name: 'Decisions' }).click();
  const summary = page.getByRole('region', { name: 'Summary' });
  await summary.getByText('2 approved').waitFor();
  await summary.getByText('0 denied').waitFor();
  await summary.getByRole('list', { name: 'Rules that applied' }).getByText('npm run *').waitFor();
});

it('keeps a decision on the card and in the inbox until the program has fetched it', async () => {
  const page = await openPage(browser, { call });
  const inbox = await openPage(browser, { call, path: '/inbox' });
  const { json } = await call('POST', '/create-approval-request', bash('make release'));
  const card = page.locator(`[data-session="${session_id}"]`);
  await card.getByText('make release').first().waitFor();
  await call('POST', `/api/approvals/${json.request_id}/decision`, { decision: 'allow' });
  const note = 'Allowed, not delivered yet. Waiting for the program that asked';
  await card.getByText(note).waitFor();
  await inbox.getByText(note).first().waitFor();
  // a program that was away during the decision gets it too
  await inbox.reload();
  await inbox.getByText(note).first().waitFor();
  expect((await call('GET', `/approval-requests/${json.request_id}/decision`)).status).toBe(200);
  await card.getByText(note).waitFor({ state: 'detached' });
  await expect.poll(() => inbox.getByText(note).count()).toBe(0);
});

it('updates the number of calls to review in the navigation', async () => {
  const page = await openPage(browser, { call });
  const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /Reviews/ });
  await link.waitFor();
  expect(await link.textContent()).not.toMatch(/\d/);
  const review = { event_type: 'tool_pending_review', tool_use_id: 't1', ...bash('terraform apply') };
  await call('POST', '/events', review);
  await link.getByText('1 to review').waitFor();
  await call('POST', '/events', { ...review, tool_use_id: 't2' });
  await link.getByText('2 to review').waitFor();
  await call('POST', '/tool-decisions/t1/approve');
  await link.getByText('1 to review').waitFor();
});

it('shows the default timeout in the settings, overridden by the environment', async () => {
  const page = await openPage(browser, { call, path: '/settings' });
  const section = page.getByRole('region', { name: 'API requests' });
  await section.getByText('Set by AGENT_ORCHESTRATOR_APPROVAL_TIMEOUT').waitFor();
  const field = section.getByLabel('Deny after');
  expect(await field.isDisabled()).toBe(true);
  expect(await field.inputValue()).toBe('300');
});

it('--always at the command line also settles other requests that its rule covers', async () => {
  const ask = async () =>
    (await call('POST', '/create-approval-request', { ...bash('cargo check'), timeout: 300 })).json;
  const [first, second, third] = [await ask(), await ask(), await ask()];
  const { stdout, code } = await runGctl(daemon.home, ['allow', '--always', first.request_id, second.request_id]);
  expect(code).toBe(0);
  const short = (asked: { request_id: string }) => asked.request_id.slice(0, 8);
  expect(stdout).toMatch(new RegExp(`Also decided by the new rule: ${short(second)}, ${short(third)}`));
  expect(stdout).toMatch(new RegExp(`${short(second)}  Allowed`));
  const { decision } = (await call('GET', `/api/approvals/${third.request_id}`)).json;
  expect(decision).toMatchObject({ decision: 'allow', by: 'rule', ruleId: expect.any(String) });
});
