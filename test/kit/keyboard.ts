import type { Locator, Page } from 'playwright-core';

/** Goes there as a person without a mouse does. */
export async function tabTo(page: Page, target: Locator, { back = false } = {}): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if (await hasFocus(target)) return;
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
  }
  throw new Error(`no way to ${target} by Tab`);
}

export const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/** A key that is pressed for what it does, not as part of a word: with a pause before it. */
export async function pressAlone(page: Page, key: string): Promise<void> {
  await page.waitForTimeout(ALONE_MS);
  await page.keyboard.press(key);
}

/** Longer than the page takes two keys for one word. */
const ALONE_MS = 900;
