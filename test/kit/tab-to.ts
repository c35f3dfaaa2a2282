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
