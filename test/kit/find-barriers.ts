import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** Must be added to a page before it loads. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Accessibility problems of the page as currently shown. */
export async function findBarriers(page: Page, { rules }: { rules?: readonly string[] } = {}): Promise<string[]> {
  // describing everything that passes takes half of the time
  const options: RunOptions = { resultTypes: ['violations'], ...(rules ? { runOnly: [...rules] } : {}) };
  const { violations } = await page.evaluate(
    (given) => (window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(given),
    options,
  );
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes
      .slice(0, 3)
      .map(({ html, failureSummary }) => `${impact} ${id} ${html.slice(0, 160)} ${failureSummary?.slice(0, 240)}`),
  );
}
