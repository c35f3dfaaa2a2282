import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { apiCaller } from './call-api.ts';

interface Options {
  call: ReturnType<typeof apiCaller>;
  viewport?: { width: number; height: number };
  path?: string;
  role?: 'admin' | 'operator' | 'viewer';
  name?: string;
  /** A touch screen. */
  touch?: boolean;
}

/** A separate, signed-in browser with a live page. Disposed of with the test. */
export async function openPage(browser: Browser, options: Options): Promise<Page> {
  const { call, viewport = { width: 1440, height: 900 }, path = '/', role = 'admin', name, touch = false } = options;
  const { url } = (await call('POST', '/api/links', { role, ...(name ? { name } : {}) })).json as { url: string };
  const context = await browser.newContext({ viewport, colorScheme: 'light', hasTouch: touch });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole('status').getByText('Live').first().waitFor();
  if (path !== '/') await page.goto(new URL(path, url).href);
  return page;
}
