import type { Locator, Page } from 'playwright-core';

/** Moves the focus there with the keyboard alone. */
export async function tabTo(page: Page, target: Locator, { back = false } = {}): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if (await hasFocus(target)) return;
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
  }
  throw new Error(`no way to ${target} by Tab`);
}

export const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/** Presses a key as a command, after a pause so that it doesn't count as part of a word. */
export async function pressAlone(page: Page, key: string): Promise<void> {
  await page.waitForTimeout(ALONE_MS);
  await page.keyboard.press(key);
}

/** Longer than the page's window for treating two keys as one word. */
const ALONE_MS = 900;
