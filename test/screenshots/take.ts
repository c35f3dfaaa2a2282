import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';
import { launchBrowser } from '../kit/browser.ts';
import { apiCaller } from '../kit/call-api.ts';
import { cleanEnv, newHome } from '../kit/daemon-process.ts';
import { pair } from '../kit/pair.ts';
import { waitFor } from '../kit/wait.ts';
import { pagesOf } from './pages.ts';

const SIZES = {
  desktop: { viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false },
  laptop: { viewport: { width: 1280, height: 800 }, isMobile: false, hasTouch: false },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};
const THEMES = ['light', 'dark'] as const;
/** The sizes shown in the docs. */
const DOCUMENTED = ['desktop', 'phone'];

/** Anything still loading or moving after this would make the screenshot random. */
const SETTLE_MS = 900;

const Greeting = z.object({ url: z.string(), link: z.string() });

type Demo = Awaited<ReturnType<typeof startDemo>>;

async function startDemo(root: string) {
  const home = newHome();
  // a fixed name, since paths are visible in the screenshots
  const folder = join(tmpdir(), 'gctl-demo');
  const args = ['demo', '--scene', 'still', '--no-open', '--json', '--dir', folder];
  const child = spawn(process.execPath, [join(root, 'bin', 'gctl'), ...args], {
    env: cleanEnv(home),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const died = exited.then(() => {
    throw new Error('The demo did not start.');
  });
  const said = waitFor(() => Greeting.parse(JSON.parse(output)), { what: 'the demo', timeout: 90_000 });
  const { url, link } = await Promise.race([said, died]);
  died.catch(() => undefined);
  const call = apiCaller({ url, operatorToken: await pair(link) });
  return {
    url,
    call,
    async end() {
      child.kill('SIGINT');
      await exited;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

interface Wanted {
  into: string;
  sizes: string[];
  /** Page names. Empty: every page. */
  only: string[];
}

async function takeAll(demo: Demo, browser: Browser, { into, sizes, only }: Wanted): Promise<void> {
  const { sessions } = (await demo.call('GET', '/api/sessions')).json as { sessions: { id: string; title: string }[] };
  const find = (title: string) => {
    const found = sessions.find((one) => one.title.includes(title));
    if (!found) throw new Error(`The demo has no session “${title}”.`);
    return found.id;
  };
  const pages = pagesOf(find).filter(({ name }) => only.length === 0 || only.includes(name));
  for (const [size, look] of Object.entries(SIZES)) {
    if (!sizes.includes(size)) continue;
    for (const theme of THEMES) {
      const context = await browser.newContext({
        ...look,
        colorScheme: theme,
        reducedMotion: 'reduce',
        locale: 'en-US',
      });
      const page = await context.newPage();
      page.on('pageerror', (error) => process.stderr.write(`${page.url()}: ${error.message}\n`));
      const name = `${size === 'phone' ? 'Phone' : 'Desk'}, ${theme}`;
      const link = await demo.call('POST', '/api/links', { role: 'operator', name });
      if (link.status !== 200) throw new Error(`No link to sign in with: ${JSON.stringify(link.json)}`);
      await page.goto(link.json.url);
      // signing in takes a moment; leaving earlier would show the sign-in page from then on
      await page.getByRole('status').getByText('Live').first().waitFor({ state: 'attached' });
      for (const shot of pages) {
        await page.goto(demo.url + shot.path);
        await settle(page);
        if (shot.prepare) {
          await shot.prepare(page);
          await settle(page);
        }
        await page.screenshot({ path: join(into, `${shot.name}-${size}-${theme}.png`) });
        await warnOfOverflow(page, `${shot.name} ${size} ${theme}`);
      }
      await context.close();
    }
  }
}

async function settle(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.waitForTimeout(SETTLE_MS);
}

/** A page that scrolls sideways is broken, and a screenshot of its left half doesn't show it. */
async function warnOfOverflow(page: Page, what: string): Promise<void> {
  const { scrollWidth, clientWidth } = await page.evaluate(() => ({
    scrollWidth: document.documentElement.scrollWidth,
    clientWidth: document.documentElement.clientWidth,
  }));
  if (scrollWidth > clientWidth)
    process.stderr.write(`${what}: ${scrollWidth - clientWidth} px wider than the screen\n`);
}

const { values, positionals } = parseArgs({
  options: { into: { type: 'string' } },
  allowPositionals: true,
});
const [root = '', ...only] = positionals;
const into = values.into ? resolve(values.into) : join(root, 'docs', 'screenshots');
const sizes = values.into ? Object.keys(SIZES) : DOCUMENTED;
mkdirSync(into, { recursive: true });
const demo = await startDemo(root);
try {
  await waitFor(async () => (await demo.call('GET', '/api/history/status')).json.phase === 'idle', {
    what: 'every transcript to be read',
    timeout: 120_000,
  });
  const browser = await launchBrowser({ whole: true });
  await takeAll(demo, browser, { into, sizes, only }).finally(() => browser.close());
} finally {
  await demo.end();
}
