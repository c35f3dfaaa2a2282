import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';

const browsers = new Set<Browser>();

export function noteOpen(browser: Browser): void {
  browsers.add(browser);
  browser.once('disconnected', () => browsers.delete(browser));
}

/** The state of every open page, to debug failures on a remote machine. */
export async function describeOpenPages(): Promise<string> {
  const pages = [...browsers].flatMap((browser) => browser.contexts()).flatMap((context) => context.pages());
  return (await Promise.all(pages.map(describePage))).join('\n');
}

async function describePage(page: Page): Promise<string> {
  const inPage = page.evaluate(() => {
    const focused = document.activeElement?.outerHTML.slice(0, 300) ?? 'nothing';
    // biome-ignore lint/performance/useDomNodeTextContent: what a person sees, not what is hidden
    return `focus: ${focused}\n${document.body.innerText.slice(0, 3000)}`;
  });
  // a hanging page must not hide the actual failure
  const seen = await Promise.race([inPage, setTimeout(5000, 'does not answer')]).catch(String);
  return `--- ${page.url()}\n${seen}`;
}
