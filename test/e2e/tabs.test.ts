import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { launchBrowser } from '../kit/browser.ts';
import { apiCaller } from '../kit/call-api.ts';
import { newHome, startDaemonProcess } from '../kit/daemon-process.ts';
import { waitFor } from '../kit/wait.ts';

const TABS = 8;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser({ keepPages: true });
});
afterAll(() => browser.close());

async function startSignedIn() {
  const home = newHome();
  let daemon = await startDaemonProcess({ home });
  onTestFinished(() => daemon.dispose());
  const call = apiCaller(daemon);
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const { url } = (await call('POST', '/api/links', { role: 'admin' })).json as { url: string };
  const first = await context.newPage();
  await first.goto(url);
  await isLive(first);
  const { port, credentials } = daemon;
  return {
    url: daemon.url,
    call,
    context,
    first,
    async restart() {
      await daemon.kill('SIGKILL');
      daemon = await startDaemonProcess({ home, args: ['--port', String(port)] });
    },
    hook: (id: string, prompt: string) =>
      fetch(`${daemon.url}/api/live/hook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-groundcontrol-token': credentials.hookToken },
        body: JSON.stringify({ session_id: id, hook_event_name: 'UserPromptSubmit', prompt }),
      }),
    streams: async () => (await call('GET', '/api/status')).json.streamClients as number,
  };
}

const isLive = (page: Page) => page.getByRole('status').getByText('Live').first().waitFor();

async function openTabs(context: BrowserContext, url: string, count: number): Promise<Page[]> {
  const pages: Page[] = [];
  for (let n = 0; n < count; n++) {
    const page = await context.newPage();
    await page.goto(url);
    await isLive(page);
    pages.push(page);
  }
  return pages;
}

test(`${TABS} tabs are live over one connection, through a closed leader and a restart of the daemon`, async () => {
  const { url, context, first, hook, streams, restart } = await startSignedIn();
  const others = await openTabs(context, url, TABS - 1);
  const showsIn = async (pages: Page[], title: string) => {
    for (const page of pages) await page.getByRole('link', { name: title, exact: true }).waitFor();
  };
  await waitFor(async () => (await streams()) === 1, { what: 'one stream for all', context: streams });
  await hook('s1', 'Seen by all');
  await showsIn([first, ...others], 'Seen by all');
  // a tab has connections left for everything else
  const last = others.at(-1)!;
  await last.getByRole('link', { name: 'Settings' }).click();
  await last.getByRole('heading', { name: 'Prices' }).waitFor();
  await last.getByRole('link', { name: 'Sessions', exact: true }).click();

  await first.close();
  await hook('s2', 'After the leader left');
  await showsIn(others, 'After the leader left');
  await waitFor(async () => (await streams()) === 1, { what: 'one stream again', context: streams });

  await restart();
  await hook('s3', 'After the restart');
  await showsIn(others, 'After the restart');
  for (const page of others) {
    await isLive(page);
    expect(await page.locator('[data-card]').count()).toBe(3);
  }
  await waitFor(async () => (await streams()) === 1, { what: 'one stream after the restart', context: streams });
});

test('a page restored from the tab’s history is live again, and missed nothing', async () => {
  const { url, context, first, hook } = await startSignedIn();
  const [other] = await openTabs(context, url, 1);
  for (const page of [first, other!]) {
    await page.evaluate(() => {
      Reflect.set(window, 'isSame', true);
      window.addEventListener('pageshow', ({ persisted }) => Reflect.set(window, 'wasKept', persisted));
    });
    await page.goto('data:text/html,elsewhere');
    const title = `While page ${page === first ? 1 : 2} was away`;
    await hook(title, title);
    await page.goBack({ waitUntil: 'commit' });
    await isLive(page);
    await page.getByRole('link', { name: title, exact: true }).waitFor();
    expect(await page.evaluate(() => [Reflect.get(window, 'isSame'), Reflect.get(window, 'wasKept')])).toEqual([
      true,
      true,
    ]);
  }
});

test('a leading tab that hangs is replaced by another', async () => {
  const { url, context, first, hook } = await startSignedIn();
  const [other] = await openTabs(context, url, 1);
  const cdp = await context.newCDPSession(first);
  await cdp.send('Page.setWebLifecycleState', { state: 'frozen' }).catch(() => undefined);
  // a busy page relays no more than a frozen one
  void first
    .evaluate(() => {
      const until = Date.now() + 90_000;
      while (Date.now() < until);
    })
    .catch(() => undefined);
  await hook('s1', 'Told to nobody at first');
  await other!.getByRole('link', { name: 'Told to nobody at first' }).waitFor({ timeout: 80_000 });
});
