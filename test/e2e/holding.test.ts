import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Approval } from '../../src/contract/approvals.ts';
import type { AuditEntry } from '../../src/contract/audit.ts';
import { launchBrowser } from '../kit/browser.ts';
import { apiCaller } from '../kit/call-api.ts';
import { type ClientHome, makeClientHome } from '../kit/client-home.ts';
import { type DaemonProcess, startDaemonProcess } from '../kit/daemon-process.ts';
import { lastToolResult } from '../kit/daemon-with-client.ts';
import { openPage } from '../kit/open-page.ts';
import { type HeadlessRun, type InteractiveClient, runHeadless, startInteractive } from '../kit/real-client.ts';
import { runGctl } from '../kit/run-gctl.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { type Scenario, type ScriptedApi, startScriptedApi } from '../kit/scripted-api.ts';
import { waitFor } from '../kit/wait.ts';

const helper = callTool('Agent', { description: 'helper', prompt: 'subtask: go', subagent_type: 'general-purpose' });
const scenario: Scenario = [
  { when: 'task-notification', reply: [say('Noted.')] },
  { when: 'subtask', from: 'subagent', reply: [callTool('Bash', { command: 'touch made.txt' }), say('Helper done.')] },
  { when: 'delegate', reply: [helper, say('Delegated.')] },
  { when: 'make it', reply: [callTool('Bash', { command: 'touch made.txt' }), say('Went on.')] },
  { when: 'publish it', reply: [callTool('Bash', { command: 'touch published.txt' }), say('Went on.')] },
  { when: 'ask name', reply: [callTool('mcp__asker__ask_name', {}), say('Nice to meet you.')] },
];
const server = fileURLToPath(new URL('../kit/elicit-server.mjs', import.meta.url));
const mcp = ['--mcp-config', JSON.stringify({ mcpServers: { asker: { command: process.execPath, args: [server] } } })];

let browser: Browser;
let api: ScriptedApi;
let home: ClientHome;
let daemon: DaemonProcess;
let call: ReturnType<typeof apiCaller>;

beforeAll(async () => {
  browser = await launchBrowser();
  api = await startScriptedApi(scenario);
  home = await makeClientHome({ apiUrl: api.url });
  await startDaemon();
  await call('POST', '/api/rules', { pattern: { toolName: 'mcp__asker__*' }, decision: 'allow' });
  const command = { command: 'touch published*' };
  await call('POST', '/api/rules', { pattern: { toolName: 'Bash', parameters: command }, decision: 'ask' });
});
afterAll(async () => {
  await daemon.dispose();
  rmSync(daemon.home, { recursive: true, force: true });
  await home.dispose();
  await api.close();
  await browser.close();
});
afterEach(async () => {
  await setAway(false);
  await call('PUT', '/api/hold', { holdSeconds: 1800 });
  for (const name of ['made.txt', 'published.txt']) rmSync(join(home.project, name), { force: true });
});

/** The second daemon uses the home of the first. */
async function startDaemon(before?: string): Promise<void> {
  daemon = await startDaemonProcess({
    ...(before ? { home: before } : {}),
    args: ['--hooks'],
    env: { CLAUDE_CONFIG_DIR: home.configDir },
  });
  call = apiCaller(daemon);
}

const gctl = (...args: string[]) => runGctl(daemon.home, args);
const setAway = (away: boolean) => call('PUT', '/api/away', { away });
const made = (name = 'made.txt') => existsSync(join(home.project, name));

/** The pending requests. */
const pending = (): Promise<Approval> =>
  waitFor(async () => (await call('GET', '/api/approvals?status=pending')).json.approvals[0], {
    what: 'an approval',
    timeout: 60_000,
  });
const settled = async ({ id }: Approval): Promise<Approval> => (await call('GET', `/api/approvals/${id}`)).json;
const newest = async (): Promise<Approval> => (await call('GET', '/api/approvals')).json.approvals.at(-1);
const lastAudit = async (): Promise<AuditEntry> => (await call('GET', '/api/audit?order=newest')).json.entries[0];

/** An operator at a page: a moving pointer. */
async function lookAt(page: Page): Promise<void> {
  await page.mouse.move(200, 200);
  await page.mouse.move(220, 210);
  await waitFor(async () => (await call('GET', '/api/hold')).json.presence === 'active', { what: 'the page to count' });
}

/** What a browser does when another tab comes to the front. */
const hide = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  });

/** Without a clean close: its process dies. */
async function kill(page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash');
  // the navigation never finishes
  page.goto('chrome://crash').catch(() => undefined);
  await crashed;
}

const cardOf = (page: Page) => page.getByRole('region', { name: /Needs You/ }).getByRole('article');

describe('claude -p', () => {
  /** What the run would have done without Ground Control. */
  async function alone(prompt: string): Promise<{ run: HeadlessRun; told: string }> {
    const bare = await makeClientHome({ apiUrl: api.url });
    onTestFinished(bare.dispose);
    const run = await runHeadless(bare, prompt);
    return { run, told: lastToolResult({ api }).replaceAll(bare.project, '') };
  }

  test('continues without Ground Control when no operator is present, even if pages are open', async () => {
    const without = await alone('make it');
    const run = await runHeadless(home, 'make it');
    expect(run).toEqual(without.run);
    expect(lastToolResult({ api }).replaceAll(home.project, '')).toBe(without.told);
    expect(await newest()).toMatchObject({ status: 'released', releaseTo: 'client' });
    expect(await lastAudit()).toMatchObject({ action: 'approval.released', by: 'control', outcome: 'released' });

    const forgotten = await openPage(browser, { call });
    const hidden = await openPage(browser, { call });
    await lookAt(hidden);
    await hide(hidden);
    await waitFor(async () => (await call('GET', '/api/hold')).json.presence === 'idle', { what: 'both to be idle' });
    expect(await runHeadless(home, 'make it')).toEqual(without.run);
    expect(await forgotten.title()).not.toMatch(/^\(1\)/);
    expect(made()).toBe(false);
  });

  test('is answered on an active page, which shows how long it is held', async () => {
    const page = await openPage(browser, { call });
    await lookAt(page);
    const run = runHeadless(home, 'make it');
    const card = cardOf(page);
    await card.getByText('touch made.txt').waitFor();
    expect(await card.getByRole('timer').textContent()).toMatch(/^Denied in (29|30)m/);
    // there is no terminal to return it to
    expect(await card.getByRole('button', { name: /Return to/ }).count()).toBe(0);
    await card.getByRole('button', { name: 'Allow', exact: true }).click();
    expect(await run).toMatchObject({ code: 0, stdout: 'Went on.\n' });
    expect(made()).toBe(true);
  });

  test('is returned when that person leaves', async () => {
    const page = await openPage(browser, { call });
    await lookAt(page);
    const run = runHeadless(home, 'make it');
    const approval = await pending();
    await kill(page);
    expect(await run).toMatchObject({ code: 0, stdout: 'Went on.\n' });
    expect(made()).toBe(false);
    expect(await settled(approval)).toMatchObject({
      status: 'released',
      closedWhy: expect.stringContaining('anymore'),
    });
  });

  test('is answered from the command line in away mode, and returned when time is up', async () => {
    expect((await gctl('away', 'on')).stdout).toContain('for up to 30m');
    const run = runHeadless(home, 'make it');
    const { id } = await pending();
    expect((await gctl('approvals')).stdout).toMatch(
      /Without an answer, it is denied by Claude Code.* in (29m \d+s|30m)/,
    );
    expect((await gctl('allow', id)).code).toBe(0);
    expect(await run).toMatchObject({ code: 0, stdout: 'Went on.\n' });
    expect(made()).toBe(true);
    rmSync(join(home.project, 'made.txt'));

    expect((await gctl('hold', '1s')).code).toBe(2);
    expect((await gctl('hold', '5s')).stdout).toContain('for up to 5s');
    expect(await runHeadless(home, 'make it')).toMatchObject({ code: 0, stdout: 'Went on.\n' });
    expect(made()).toBe(false);
    expect(await newest()).toMatchObject({
      status: 'released',
      closedWhy: expect.stringContaining('within the hold time'),
    });
  });

  test('under an ask rule is denied with the reason when no operator is present, and held otherwise', async () => {
    expect(await runHeadless(home, 'publish it')).toMatchObject({ code: 0, stdout: 'Went on.\n' });
    expect(lastToolResult({ api })).toMatch(/Asked by rule.*Nobody answered, so the call is denied.*gctl away on/);
    expect(made('published.txt')).toBe(false);
    expect(await newest()).toMatchObject({ status: 'released', ruleId: expect.any(String) });

    await setAway(true);
    const run = runHeadless(home, 'publish it', { permissionMode: 'acceptEdits' });
    const approval = await pending();
    const session = (await call('GET', `/api/sessions/${approval.sessionId}`)).json;
    expect(session.agentState).toMatchObject({ group: 'needs_you', state: 'needs_permission' });
    await gctl('allow', approval.id);
    expect(await run).toMatchObject({ code: 0 });
    expect(made('published.txt')).toBe(true);

    const denied = runHeadless(home, 'publish it');
    await gctl('deny', (await pending()).id, '-m', 'Not on a Friday');
    expect(await denied).toMatchObject({ code: 0, stdout: 'Went on.\n' });
    expect(lastToolResult({ api })).toContain('Not on a Friday');
  });

  test('ends when the daemon is stopped or killed while it is held', async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await setAway(true);
      const run = runHeadless(home, 'make it');
      await pending();
      await daemon.kill(signal);
      expect(await run, signal).toMatchObject({ code: 0, stdout: 'Went on.\n' });
      expect(made()).toBe(false);
      await startDaemon(daemon.home);
    }
  });
});

describe('in a terminal', () => {
  let client: InteractiveClient;
  beforeAll(async () => {
    client = await startInteractive(home, { args: mcp });
  });
  afterAll(() => client.dispose());

  const DIALOG = /Do you want to proceed/;
  const FORM = /What is your name\?/;

  /** Answers the open dialog and waits for the end of the turn. */
  async function finish(dialog: RegExp, key: 'Enter' | 'Escape'): Promise<void> {
    await waitFor(
      async () => {
        await client.press(key);
        return client.waitForScreen((screen) => !dialog.test(screen), { timeout: 3000 });
      },
      { what: 'the dialog to take a key', timeout: 60_000 },
    );
    await client.waitForStatus('idle');
  }

  /** A running client picks up the hooks of a new daemon after about a second. */
  async function waitForHooks(): Promise<void> {
    const turns = async () => (await call('GET', `/api/sessions/${await client.sessionId()}`)).json.turnCount as number;
    const before = await turns();
    await waitFor(
      async () => {
        await client.prompt('hello');
        await client.waitForStatus('idle');
        return (await turns()) > before;
      },
      { what: 'a hook of the client', timeout: 60_000, interval: 500 },
    );
  }

  test("a subagent's request and a form are shown immediately when nobody is at a page", async () => {
    const forgotten = await openPage(browser, { call });
    await lookAt(forgotten);
    await hide(forgotten);
    await client.prompt('delegate');
    await client.waitForScreen(DIALOG);
    expect(await newest()).toMatchObject({ status: 'released', releaseTo: 'terminal' });
    await finish(DIALOG, 'Enter');
    await waitFor(() => made(), { what: 'the file' });

    await client.prompt('ask name');
    await client.waitForScreen(FORM);
    expect(await newest()).toMatchObject({ kind: 'elicitation', status: 'released' });
    await finish(FORM, 'Escape');
  });

  test('they are held for someone at a page, who can return them', async () => {
    const page = await openPage(browser, { call });
    await lookAt(page);
    await client.prompt('delegate');
    const card = cardOf(page);
    await card.getByText('touch made.txt').waitFor();
    expect(await card.getByRole('timer').textContent()).toMatch(/^Returns to the terminal in /);
    expect(await client.screen()).not.toMatch(DIALOG);
    await card.getByRole('button', { name: 'Return to terminal' }).click();
    await client.waitForScreen(DIALOG);
    expect(await lastAudit()).toMatchObject({
      action: 'approval.released',
      by: expect.not.stringMatching(/^control$/),
      detail: expect.stringContaining('terminal is asking now'),
    });
    await finish(DIALOG, 'Enter');

    await client.prompt('ask name');
    const { id } = await pending();
    expect((await gctl('release', id)).stdout).toContain('Its terminal is asking now.');
    await client.waitForScreen(FORM);
    expect((await gctl('release', id)).code).toBe(1);
    await finish(FORM, 'Escape');
  });

  test('the visible one of two tabs holds a request, and the terminal asks when that tab dies', async () => {
    const hidden = await openPage(browser, { call });
    await lookAt(hidden);
    await hide(hidden);
    const visible = await openPage(browser, { call });
    await lookAt(visible);
    await client.prompt('ask name');
    const approval = await pending();
    expect(await client.screen()).not.toMatch(FORM);
    await kill(visible);
    await client.waitForScreen(FORM);
    expect(await settled(approval)).toMatchObject({ status: 'released' });
    await finish(FORM, 'Escape');
  });

  test('a form is filled in from the command line', async () => {
    await setAway(true);
    await client.prompt('ask name');
    const { id } = await pending();
    expect((await gctl('approvals')).stdout).toMatch(
      /What is your name\?\n\s+name=… {2}text, required\n\s+Without an answer, it goes back to its terminal in/,
    );
    expect(await gctl('allow', id)).toMatchObject({ code: 2, stderr: expect.stringContaining('name=…') });
    expect(await gctl('answer', id, 'Ada')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("isn't name=value"),
    });
    expect(await gctl('answer', id, 'name=')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('name is required'),
    });
    const refused = await call('POST', `/api/approvals/${id}/decision`, { decision: 'allow', updatedInput: {} });
    expect(refused).toMatchObject({ status: 400, json: { error: { message: 'name is required.' } } });
    expect((await gctl('answer', id, 'name=Ada')).code).toBe(0);
    await waitFor(() => lastToolResult({ api }).includes('Ada'), { what: 'the name to reach the model' });
    await client.waitForStatus('idle');
  });

  test('the terminal asks when the daemon is stopped or killed meanwhile', async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await setAway(true);
      await client.prompt('ask name');
      await pending();
      await daemon.kill(signal);
      await client.waitForScreen(FORM);
      await startDaemon(daemon.home);
      await finish(FORM, 'Escape');
      await waitForHooks();
    }
  });
});
