import type { Locator, Page } from 'playwright-core';

/** Swipes across a row: right, or left with a negative number. */
export async function swipe(page: Page, from: Locator, by: number): Promise<void> {
  await from.waitFor();
  const box = (await from.boundingBox())!;
  const x = by > 0 ? 60 : 300;
  const y = box.y + box.height / 2;
  const cdp = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at: number) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: at, y }] });
  await send('touchStart', x);
  for (let step = 1; step <= 10; step++) await send('touchMove', x + (by * step) / 10);
  await send('touchEnd', x + by);
  await cdp.detach();
}
