import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../kit/browser.ts';
import { openDaemonWithHooks } from '../kit/daemon-with-hooks.ts';
import { openPage } from '../kit/open-page.ts';

const LAPTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, touch: true };
const PLAN = Array.from({ length: 120 }, (_, line) => `${line + 1}. Change file ${line + 1} and run its tests.`).join(
  '\n',
);
const COMMAND = Array.from({ length: 60 }, (_, line) => `echo "step ${line}"`).join(' \\\n  && ');

let browser: Browser;
let tower: Awaited<ReturnType<typeof openDaemonWithHooks>>;
beforeAll(async () => {
  [browser, tower] = await Promise.all([launchBrowser(), openDaemonWithHooks()]);
  await tower.hook.start('planner', 'Plan the move');
  const plan = { session_id: 'planner', tool_name: 'ExitPlanMode', tool_input: { plan: PLAN } };
  await tower.hook.send({ ...plan, hook_event_name: 'PreToolUse', tool_use_id: 'plan-call' });
  void tower.hook.send({ ...plan, hook_event_name: 'PermissionRequest' });
  await tower.hook.start('runner', 'Run the steps');
  void tower.hook.ask('runner', COMMAND, 'run-call');
  await tower.hook.start('worker', 'Work on');
});
afterAll(async () => {
  await tower?.daemon.dispose();
  await browser?.close();
});

async function isWholeInView(page: Page, button: Locator): Promise<boolean> {
  const box = await button.boundingBox();
  const { width, height } = page.viewportSize()!;
  return box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
}

test.each([
  { size: 'laptop', view: LAPTOP },
  { size: 'low laptop', view: { viewport: { width: 1280, height: 640 } } },
  { size: 'phone', view: PHONE },
])('both answers to a long plan and a long command are in view on a $size', async ({ view }) => {
  for (const [id, names] of [
    ['planner', [/^Approve/, /^Reject/]],
    ['runner', [/^(Allow|Show)/, /^Deny$/]],
  ] as const) {
    const page = await openPage(browser, { call: tower.call, ...view, path: `/sessions/${id}` });
    const panel = page.locator('[data-approval]').first();
    for (const name of names) {
      const button = panel.getByRole('button', { name }).first();
      await button.waitFor();
      await expect.poll(() => isWholeInView(page, button), { timeout: 5_000 }).toBe(true);
    }
    await page.goto(new URL('/inbox', page.url()).href);
    const row = page.locator('[data-row]', { hasText: id === 'planner' ? 'Plan the move' : 'Run the steps' }).first();
    await row.click();
    const open = page.locator('[data-approval]').first();
    for (const name of names) {
      const button = open.getByRole('button', { name }).first();
      await button.waitFor();
      await expect.poll(() => isWholeInView(page, button), { timeout: 5_000 }).toBe(true);
    }
    await page.close();
  }
});

test('Back on a phone returns from a request to the inbox and from there to the board', async () => {
  const page = await openPage(browser, { call: tower.call, ...PHONE });
  await page.goto(new URL('/inbox', page.url()).href);
  await page.locator('[data-row]').first().click();
  await page.locator('[data-approval]').first().waitFor();
  await page.goBack();
  await expect.poll(() => page.locator('[data-row]').count()).toBeGreaterThan(1);
  expect(new URL(page.url()).pathname).toBe('/inbox');
  await page.goBack();
  await page.locator('[data-card]').first().waitFor();
});

test('list headers line up with their columns and sort by them', async () => {
  const page = await openPage(browser, { call: tower.call, ...LAPTOP, path: '/?view=list' });
  await page.locator('.list-row [data-cell]').first().waitFor();
  const offsets = await page.evaluate(() => {
    const left = (element: Element) => element.getBoundingClientRect().left;
    const head = [...document.querySelectorAll('.list-view-head [data-cell]')];
    const rows = [...document.querySelectorAll('.list-row:not(.list-view-head)')];
    return head.flatMap((cell) => {
      const name = (cell as HTMLElement).dataset.cell;
      const below = rows.map((row) => row.querySelector(`[data-cell="${name}"]`)).find((found) => found !== null);
      return below ? [{ name, by: Math.round(left(below) - left(cell)) }] : [];
    });
  });
  expect(offsets.length).toBeGreaterThan(2);
  expect(offsets.filter(({ by }) => Math.abs(by) > 1)).toEqual([]);
  const header = page.locator('.list-view-head [data-cell]').first();
  const order = () => page.locator('.list-row [data-card]').evaluateAll((all) => all.map((one) => one.textContent));
  await header.click();
  const up = await order();
  await header.click();
  await expect.poll(order).toEqual(up.toReversed());
});

test.each(['/', '/inbox', '/sessions/runner', '/stats'])(
  'a screen reader announces nothing on %s while nothing happens',
  async (path) => {
    const page = await openPage(browser, { call: tower.call, ...LAPTOP, path });
    await page.locator('main').first().waitFor();
    await page.waitForTimeout(1_500);
    const heard = await page.evaluate(async () => {
      const changes: string[] = [];
      const isLive = (node: Node | null) => {
        const region = (node instanceof Element ? node : node?.parentElement)?.closest(
          '[aria-live], [role="status"], [role="alert"], [role="timer"], [role="log"]',
        );
        const live = region?.getAttribute('aria-live') ?? (region?.matches('[role="timer"]') ? 'off' : 'polite');
        return region !== null && region !== undefined && live !== 'off';
      };
      const observer = new MutationObserver((records) => {
        for (const { target } of records) if (isLive(target)) changes.push(target.textContent ?? '');
      });
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      observer.disconnect();
      return changes;
    });
    expect(heard).toEqual([]);
  },
);

test('a notice on a phone is above, away from the buttons under the thumb', async () => {
  await tower.hook.start('first', 'Ask first');
  void tower.hook.ask('first', 'echo first', 'first-call');
  const page = await openPage(browser, { call: tower.call, ...PHONE, path: '/inbox' });
  await page.locator('[data-row]', { hasText: 'Ask first' }).click();
  await page.locator('[data-approval]').first().getByRole('button', { name: 'Deny', exact: true }).click();
  const said = page.locator('.toast').first();
  await said.waitFor();
  const box = await said.boundingBox();
  expect(box!.y + box!.height).toBeLessThan(PHONE.viewport.height / 2);
});
