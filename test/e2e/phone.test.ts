import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../kit/browser.ts';
import { startStillDemo } from '../kit/demo.ts';

let browser: Browser;
let demo: Awaited<ReturnType<typeof startStillDemo>>;
let page: Page;

/** Phone features that this Chromium lacks: a share sheet, and speech recognition. */
function phoneParts(): void {
  const shared: { title: string; name: string; text: string }[] = [];
  Object.assign(window, { shared });
  Object.assign(navigator, {
    canShare: () => true,
    async share({ title, files }: { title: string; files: File[] }) {
      const [file] = files;
      shared.push({ title, name: file!.name, text: await file!.text() });
    },
  });
  class Recognition extends EventTarget {
    start(): void {
      setTimeout(() => {
        const said = Object.assign([{ transcript: ' add a test for it ' }], { isFinal: true });
        this.dispatchEvent(Object.assign(new Event('result'), { resultIndex: 0, results: [said] }));
      }, 50);
    }
    stop(): void {
      this.dispatchEvent(new Event('end'));
    }
  }
  Object.assign(window, { SpeechRecognition: Recognition, webkitSpeechRecognition: Recognition });
}

beforeAll(async () => {
  [browser, demo] = await Promise.all([launchBrowser({ whole: true }), startStillDemo()]);
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
  page = await context.newPage();
  await page.addInitScript(phoneParts);
  await page.goto(await demo.link());
  await page.getByRole('status').getByText('Live').first().waitFor();
});
afterAll(async () => {
  await browser.close();
  await demo.dispose();
});

it('shares a session as Markdown with secrets masked', async () => {
  const [session] = (await demo.sessions()).filter(({ agentState }) => agentState.state === 'delegating');
  await page.goto(`${demo.url}/sessions/${session!.id}`);
  await page.getByRole('button', { name: 'Export' }).tap();
  await page.getByRole('menuitem', { name: 'Share, secrets masked' }).tap();
  const shared = () =>
    page.evaluate(() => (window as unknown as { shared: { title: string; name: string; text: string }[] }).shared);
  await expect.poll(shared).toHaveLength(1);
  const [one] = await shared();
  expect(one).toMatchObject({ title: session!.title, name: `session-${session!.id}.md` });
  expect(one!.text).toContain(session!.title);
});

it('appends dictated text to what was typed', async () => {
  const session = (await demo.sessions()).find(
    ({ driver, noPrompts }) => driver.capabilities.prompt && noPrompts === null,
  );
  await page.goto(`${demo.url}/sessions/${session!.id}`);
  const field = page.locator('.prompt-box textarea').first();
  await field.fill('Fix the parser and');
  const dictate = page.getByRole('button', { name: 'Dictate' }).first();
  await dictate.tap();
  await expect.poll(() => field.inputValue()).toBe('Fix the parser and add a test for it');
  expect(await dictate.getAttribute('aria-pressed')).toBe('true');
  await dictate.tap();
  await expect.poll(() => dictate.getAttribute('aria-pressed')).toBe('false');
});

it('can be installed: manifest, icons, one scope, and a service worker that answers offline', async () => {
  const address = `${demo.url}/manifest.webmanifest`;
  const manifest = (await (await page.request.get(address)).json()) as {
    name: string;
    start_url: string;
    scope: string;
    display: string;
    icons: { src: string; sizes: string; purpose?: string }[];
  };
  expect(manifest.display).toBe('standalone');
  // relative, so that they also hold below a proxy's path
  for (const place of [manifest.start_url, manifest.scope]) expect(new URL(place, address).href).toBe(`${demo.url}/`);
  expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']));
  expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true);
  for (const { src } of manifest.icons) expect((await page.request.get(new URL(src, address).href)).status()).toBe(200);
  const cdp = await page.context().newCDPSession(page);
  const { errors } = await cdp.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  await page.goto(demo.url);
  await expect
    .poll(() => page.evaluate(async () => Boolean(await navigator.serviceWorker.getRegistration('/'))))
    .toBe(true);
  const { installabilityErrors } = (await cdp.send('Page.getInstallabilityErrors')) as {
    installabilityErrors: { errorId: string }[];
  };
  // a test browser has no profile to install into
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
  const metas = await page.evaluate(() => ({
    viewport: document.querySelector<HTMLMetaElement>('meta[name="viewport"]')?.content,
    theme: document.querySelectorAll('meta[name="theme-color"]').length,
    touchIcon: Boolean(document.querySelector('link[rel="apple-touch-icon"]')),
  }));
  expect(metas).toEqual({ viewport: expect.stringContaining('width=device-width'), theme: 2, touchIcon: true });
});
