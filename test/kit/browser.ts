import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { noteOpen } from './open-pages.ts';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

interface BrowserOptions {
  /** The browser that a person uses, also without a window. Default: only its engine, which takes a third of the processor time. */
  whole?: boolean;
  /** Enables the back/forward cache, as in real browsers but not in Playwright. */
  keepPages?: boolean;
  /** Host names that resolve to this machine, and certificates (SHA-256 of their keys) to trust as if the phone's owner had installed their CA. */
  names?: { hosts: string[]; trustedKeys: string[] };
}

/** The machine's Chromium, headless, without the person's profile. Ends with `browser.close()`. */
export async function launchBrowser({
  whole = false,
  keepPages = false,
  names,
}: BrowserOptions = {}): Promise<Browser> {
  const executablePath = (whole ? undefined : find(ENGINE)) ?? findChromium();
  // certificate and font caches go to HOME, regardless of the profile folder
  const home = await mkdtemp(join(tmpdir(), 'gc-browser-'));
  const removeHome = () => rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  try {
    const env = { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', HOME: home };
    const browser = await chromium.launch({
      executablePath,
      headless: true,
      args: [...ARGS, ...(names ? nameArgs(names) : [])],
      env,
      ...(keepPages ? { ignoreDefaultArgs: ['--disable-back-forward-cache'] } : {}),
    });
    browser.once('disconnected', () => void removeHome());
    noteOpen(browser);
    return waitLonger(browser);
  } catch (error) {
    await removeHome();
    throw error;
  }
}

function nameArgs({ hosts, trustedKeys }: NonNullable<BrowserOptions['names']>): string[] {
  return [
    `--host-resolver-rules=${hosts.map((host) => `MAP ${host} 127.0.0.1`).join(', ')}`,
    `--ignore-certificate-errors-spki-list=${trustedKeys.join(',')}`,
  ];
}

/** A ceiling for a loaded machine, not an expectation: a page may wait for a real client's turn. */
const PATIENCE_MS = 60_000;

function waitLonger(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}

/** Chromium without the parts around its pages. Not every distribution has it. */
const ENGINE = ['chromium-headless-shell', 'chrome-headless-shell'];
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const FIXED = ['/usr/bin/chromium', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

function findChromium(): string {
  const found = find(NAMES, FIXED);
  if (found !== undefined) return found;
  throw new Error(
    'Chromium is missing: install it with `apt-get install chromium` (Debian) or `brew install --cask google-chrome` (macOS).',
  );
}

function find(names: string[], paths: string[] = []): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return [...paths, ...names.flatMap((name) => folders.map((folder) => join(folder, name)))].find(existsSync);
}
