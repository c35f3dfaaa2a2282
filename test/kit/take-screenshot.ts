import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** To take screenshots in both themes: SHOTS=folder. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (!folder) return;
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(folder, `${name}-${theme}.png`) });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
