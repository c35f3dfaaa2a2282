import { beforeEach, onTestFailed } from 'vitest';
import { describeOpenPages } from './open-pages.ts';

beforeEach(() => {
  onTestFailed(async () => {
    const pages = await describeOpenPages();
    if (pages) console.error(pages);
  });
});
