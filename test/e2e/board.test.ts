import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser } from '../kit/browser.ts';
import { apiCaller } from '../kit/call-api.ts';
import { newHome, startDaemonProcess } from '../kit/daemon-process.ts';
import { waitFor } from '../kit/wait.ts';

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 360, height: 740 };

let browser: Browser;
let context: BrowserContext;
let tower: Tower;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  tower = await raiseTower();
});
afterEach(async () => {
  await context.close();
  await tower.dispose();
});

describe('a newcomer', () => {
  it('signs in with the printed link, shows the exact change, installs the hooks and removes them', async () => {
    const own = '{ "model":   "opus" }\n';
    writeFileSync(tower.settings, own);
    const page = await openBoard();
    await page.getByRole('heading', { name: 'Connect Claude Code' }).waitFor();
    await page.getByRole('button', { name: 'Review and install…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('PermissionRequest').first().waitFor();
    expect(await dialog.textContent()).toContain(tower.settings);
    expect(readFileSync(tower.settings, 'utf8')).toBe(own);
    await dialog.getByRole('button', { name: 'Install hooks' }).click();
    await page.getByRole('heading', { name: 'All quiet' }).waitFor();
    expect(readFileSync(tower.settings, 'utf8')).toContain('PermissionRequest');

    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Review and remove…' }).click();
    await dialog
      .getByText(/^-.*PermissionRequest/)
      .first()
      .waitFor();
    expect(readFileSync(tower.settings, 'utf8')).toContain('PermissionRequest');
    await dialog.getByRole('button', { name: 'Remove hooks' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Ground Control: sessions' }).click();
    await page.getByRole('heading', { name: 'Connect Claude Code' }).waitFor();
    expect(readFileSync(tower.settings, 'utf8')).toBe(own);
  });

  it('without a link explains how to get one, and signs in with its code, once', async () => {
    const page = await openPage(DESK);
    await page.goto(tower.url);
    await page.getByRole('heading', { name: 'Sign in to Ground Control' }).waitFor();

    await page.getByLabel('Link or code').fill('nonsense');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();

    const link = await tower.link();
    await page.getByLabel('Link or code').fill(link);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Live').waitFor();
    expect(await page.evaluate(() => document.cookie)).toBe('');

    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(link);
    await stranger.getByRole('alert').getByText('used or has expired').waitFor();
    expect(new URL(stranger.url()).search).toBe('');
    await stranger.context().close();
  });
});

describe('the board', () => {
  it('follows a session from its first prompt to its end', async () => {
    const page = await openBoard();
    await tower.hook({ session_id: 's1', hook_event_name: 'SessionStart', source: 'startup', cwd: tower.home });
    await tower.hook({ session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt: 'Ship the release' });
    await cardIn(page, 'Running', 'Ship the release').getByText('Thinking').waitFor();
    expect(await page.title()).toBe('Ground Control');

    const call = { tool_name: 'Bash', tool_input: { command: 'git push origin main' } };
    await tower.hook({ session_id: 's1', hook_event_name: 'PreToolUse', tool_use_id: 't1', ...call });
    await cardIn(page, 'Running', 'Ship the release').getByText('Running: git push origin main').waitFor();
    // held until someone decides
    void tower.hook({ session_id: 's1', hook_event_name: 'PermissionRequest', ...call });
    const waiting = cardIn(page, 'Needs You', 'Ship the release');
    await waiting.getByText('Needs permission').waitFor();
    expect(await waiting.textContent()).toMatch(/Bash[\s\S]*git push origin main/);
    await waitFor(async () => (await page.title()) === '(1) Ground Control', { what: 'the count in the title' });
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toContain(encodeURIComponent('>1</text>'));

    await tower.hook({ session_id: 's1', hook_event_name: 'SessionEnd', reason: 'prompt_input_exit' });
    await cardIn(page, 'Done', 'Ship the release').getByText('Ended').waitFor();
    expect(await page.locator('[data-card="s1"]').count()).toBe(1);
    await waitFor(async () => (await page.title()) === 'Ground Control', { what: 'nothing left to answer' });
    await tower.call('DELETE', '/api/sessions/s1');
    await page.locator('[data-card="s1"]').waitFor({ state: 'detached', timeout: 20_000 });
  });

  it('nests subagents, including one that asks', async () => {
    const page = await openBoard();
    const from = { session_id: 's1', agent_id: 'a1', agent_type: 'Explore' };
    await tower.hook({ session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt: 'Map the code' });
    await tower.hook({ ...from, hook_event_name: 'SubagentStart' });
    const agents = page.getByRole('list', { name: 'Subagents' });
    await agents.getByText('Explore').waitFor();
    const call = { tool_name: 'Bash', tool_input: { command: 'find / -name x' } };
    await tower.hook({ ...from, hook_event_name: 'PreToolUse', tool_use_id: 't1', ...call });
    void tower.hook({ ...from, hook_event_name: 'PermissionRequest', ...call });
    await cardIn(page, 'Needs You', 'Map the code').getByText('find / -name x').waitFor();
    await agents.getByText('Needs permission: Bash').waitFor();
  });

  it('shows markup as text, a megabyte-long title on two lines, and right-to-left text aligned right', async () => {
    const page = await openBoard();
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const markup = '<img src=x onerror=alert(1)><b>bold</b>';
    await tower.hook({ session_id: 'markup', hook_event_name: 'UserPromptSubmit', prompt: markup });
    await tower.hook({ session_id: 'long', hook_event_name: 'UserPromptSubmit', prompt: 'long '.repeat(200_000) });
    await tower.hook({ session_id: 'rtl', hook_event_name: 'UserPromptSubmit', prompt: 'إصلاح صفحة الفاتورة' });
    await page.getByRole('link', { name: markup }).waitFor();
    expect(await page.locator('article img, article b').count()).toBe(0);
    const long = page.locator('[data-card="long"]');
    await long.waitFor();
    expect((await long.boundingBox())!.height).toBeLessThan(60);
    const rtl = page.locator('[data-card="rtl"]');
    expect(await rtl.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(dialogs).toEqual([]);
  });

  it('works by keyboard, and the focus follows a card that moves', async () => {
    const page = await openBoard();
    for (const id of ['one', 'two']) {
      await tower.hook({
        session_id: id,
        hook_event_name: 'UserPromptSubmit',
        prompt: `Prompt ${id}`,
        cwd: tower.home,
      });
      await page.locator(`[data-card="${id}"]`).waitFor();
    }
    await page.keyboard.press('j');
    expect(await focusedCard(page)).toBe('two');
    await page.keyboard.press('ArrowDown');
    expect(await focusedCard(page)).toBe('one');
    await page.keyboard.press('o');
    await page.getByText('Last prompt').waitFor();
    expect(await cardIn(page, 'Running', 'Prompt one').textContent()).toContain(tower.home);

    await tower.hook({ session_id: 'one', hook_event_name: 'Stop' });
    await cardIn(page, 'Needs You', 'Prompt one').getByText('Last prompt').waitFor();
    expect(await focusedCard(page)).toBe('one');
    await page.keyboard.press('l');
    expect(await focusedCard(page)).toBe('two');

    await page.keyboard.press('/');
    await page.keyboard.type('prompt ONE');
    await page.locator('[data-card="two"]').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.locator('[data-card="two"]').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('is a board, a grid or a list, grouped, filtered and sorted, as its address says', async () => {
    const page = await openBoard();
    for (const [id, cwd] of [
      ['b', 'shop'],
      ['a', 'shop'],
      ['c', 'docs'],
    ]) {
      await tower.hook({
        session_id: id,
        hook_event_name: 'UserPromptSubmit',
        prompt: `Task ${id}`,
        cwd: join(tower.home, cwd!),
      });
    }
    const cards = () => page.locator('[data-card]').evaluateAll((all) => all.map((one) => one.textContent).join());
    const show = (view: string) => page.getByRole('radio', { name: view }).click();
    await page.locator('[data-card="c"]').waitFor();

    await page.getByLabel('Group by').selectOption('project');
    await show('Grid');
    await page.getByRole('region', { name: 'docs' }).getByText('Task c').waitFor();
    expect(await page.getByRole('region', { name: 'shop' }).getByRole('article').count()).toBe(2);

    await page.getByLabel('Group by').selectOption('');
    await show('List');
    await page.getByRole('button', { name: 'Title' }).click();
    await waitFor(async () => (await cards()) === 'Task a,Task b,Task c', {
      what: 'the order of the titles',
      context: cards,
    });
    await page.getByRole('button', { name: 'Title' }).click();
    await waitFor(async () => (await cards()) === 'Task c,Task b,Task a', { what: 'the other order', context: cards });

    await page.getByLabel('Filter sessions').fill('project:shop -"task b"');
    await waitFor(async () => (await cards()) === 'Task a', { what: 'the filter', context: cards });
    await page.getByRole('button', { name: 'Saved filters' }).click();
    await page.getByRole('menuitem', { name: 'Save this filter…' }).click();
    await page.getByLabel(/^Save .* as$/).fill('Mine');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForURL(/filter=/);
    await page.reload();
    await waitFor(async () => (await cards()) === 'Task a', { what: 'the same after a reload', context: cards });
    await page.getByLabel('Filter sessions').fill('');
    await page.locator('[data-card="c"]').waitFor();
    await page.getByRole('button', { name: 'Saved filters' }).click();
    await page.getByRole('menuitem', { name: /Mine/ }).click();
    await waitFor(async () => (await cards()) === 'Task a', { what: 'the saved filter', context: cards });

    for (const view of ['List', 'Grid', 'Board']) {
      await show(view);
      await page.getByLabel('Filter sessions').fill('no such thing');
      await page.getByRole('button', { name: 'Clear filter' }).click();
      await page.locator('[data-card="c"]').waitFor();
    }
  });

  it('reconnects after a killed daemon, with every card once', async () => {
    const page = await openBoard();
    await tower.hook({ session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt: 'Survive' });
    await page.locator('[data-card="s1"]').waitFor();
    await tower.kill();
    await page.getByRole('status').getByText('Reconnecting…').waitFor();
    expect(await page.locator('[data-card="s1"]').count()).toBe(1);

    await tower.restart();
    // `npm run bench web` measures how soon
    await page.getByRole('status').getByText('Live').waitFor();
    await tower.hook({
      session_id: 's1',
      hook_event_name: 'PreToolUse',
      tool_name: 'Read',
      tool_input: { file_path: '/a/b.ts' },
    });
    await page.getByText('Reading b.ts').waitFor();
    expect(await page.locator('[data-card]').count()).toBe(1);
  });

  it("reports a page that can't be fetched while the daemon is away, and shows it when it is back", async () => {
    const page = await openBoard();
    await page.route('**/assets/audit-page-*.js', (route) => route.abort());
    await page.evaluate(() => Reflect.set(window, 'neverReloaded', true));
    await tower.kill();
    await page.getByRole('status').getByText('Reconnecting…').waitFor();
    await page.unrouteAll();
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('heading', { name: "Can't reach Ground Control" }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/audit');
    await page.getByRole('link', { name: 'Sessions', exact: true }).waitFor();

    await tower.restart();
    await page.getByRole('heading', { name: 'Audit', exact: true }).waitFor();
    expect(await page.evaluate(() => Reflect.get(window, 'neverReloaded'))).toBe(true);
  });

  it('prefetches other pages, so that they open while the daemon is away', async () => {
    const page = await openBoard();
    /** Time from page load to the fetch. */
    const fetchedAfter = (name: string) =>
      page.evaluate((part) => {
        const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
        const file = performance.getEntriesByType('resource').find((entry) => entry.name.includes(part));
        return file && load ? file.startTime - load.loadEventEnd : undefined;
      }, `/assets/${name}-`);
    for (const name of ['audit-page', 'events-tab', 'palette']) {
      const after = await waitFor(() => fetchedAfter(name), { what: name, timeout: 60_000 });
      expect(after).toBeGreaterThan(2_000);
    }
    await tower.kill();
    await page.getByRole('status').getByText('Reconnecting…').waitFor();
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('heading', { name: 'Audit', exact: true }).waitFor();
  });

  it("reloads when a page's build is gone", async () => {
    const page = await openBoard();
    await page.evaluate(() => Reflect.set(window, 'isOld', true));
    await page.route('**/assets/audit-page-*.js', (route) => route.fulfill({ status: 404 }));
    const html = await (await page.request.get(tower.url)).text();
    await page.route(`${tower.url}/`, (route) =>
      route.fulfill({ contentType: 'text/html', body: html.replaceAll('/assets/start-', '/assets/newer-') }),
    );
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.waitForFunction(() => Reflect.get(window, 'isOld') === undefined);
    await page.unrouteAll();
    await page.reload();
    await page.getByRole('heading', { name: 'Audit', exact: true }).waitFor();
  });

  it('shows three tabs on a phone, with nothing wider than the screen', async () => {
    const page = await openBoard(PHONE);
    await tower.hook({
      session_id: 's1',
      hook_event_name: 'UserPromptSubmit',
      prompt: 'A prompt with a-very-long-word'.repeat(9),
    });
    const tabs = page.getByRole('navigation', { name: 'Groups' });
    await tabs.getByRole('button', { name: /1\s*Running/ }).click();
    await page.locator('[data-card="s1"]').waitFor();
    expect(await page.getByRole('region', { name: /Needs You/ }).count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);

    await page.getByRole('button', { name: 'View: Board' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'List' }).click();
    await page.locator('.list-row [data-card="s1"]').waitFor();
    expect(await tabs.count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  });

  it('shows when the operator is away', async () => {
    const page = await openBoard();
    await page.getByRole('link', { name: 'Settings' }).click();
    const away = page.getByRole('switch', { name: "I'm away from my desk" });
    await waitFor(() => away.isEnabled(), { what: 'the switch to know how it stands' });
    await away.click();
    await waitFor(() => away.isChecked(), { what: 'the switch to be on' });
    const isKept = async () => (await tower.call('GET', '/api/away')).json.away;
    await waitFor(isKept, { what: 'the daemon to know' });
    await page.reload();
    await waitFor(() => away.isChecked(), { what: 'the switch to be on after a reload' });
  });

  it('remembers the theme that was chosen', async () => {
    const page = await openBoard();
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await ground();
    await page.getByRole('button', { name: 'Switch to dark' }).click();
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.reload();
    expect(await ground()).toBe(dark);
    await page.getByRole('button', { name: 'Switch to light' }).click();
    expect(await ground()).toBe(light);
  });
});

async function openPage(viewport: { width: number; height: number }): Promise<Page> {
  context = await browser.newContext({ viewport, colorScheme: 'light' });
  return context.newPage();
}

async function openBoard(viewport = DESK): Promise<Page> {
  const page = await openPage(viewport);
  await page.goto(await tower.link());
  await page.getByRole('status').getByText('Live').waitFor();
  return page;
}

function cardIn(page: Page, column: string, title: string): Locator {
  return page.getByRole('region', { name: column }).getByRole('article').filter({ hasText: title });
}

function focusedCard(page: Page): Promise<string | undefined> {
  return page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.card);
}

type Tower = Awaited<ReturnType<typeof raiseTower>>;

/** The daemon as people start it, with controls for the test. */
async function raiseTower() {
  const home = newHome();
  let daemon = await startDaemonProcess({ home });
  const { url, port, credentials } = daemon;
  return {
    url,
    home,
    settings: join(home, '.claude', 'settings.json'),
    link: async (): Promise<string> => (await apiCaller(daemon)('POST', '/api/links', { role: 'admin' })).json.url,
    call: apiCaller(daemon),
    kill: () => daemon.kill('SIGKILL'),
    async restart() {
      daemon = await startDaemonProcess({ home, args: ['--port', String(port)] });
    },
    async hook(payload: Record<string, unknown>) {
      const answer = await fetch(`${url}/api/live/hook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-groundcontrol-token': credentials.hookToken },
        body: JSON.stringify(payload),
      });
      expect(answer.status).toBe(200);
    },
    async dispose() {
      await daemon.dispose();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
