import { expect, onTestFinished, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { listenOnLoopback } from './loopback-server.ts';

test('shows a page served by this machine', async () => {
  const server = await listenOnLoopback((_, response) => {
    response.setHeader('content-type', 'text/html').end('<h1>Hello</h1><script>document.title = "ran"</script>');
  });
  onTestFinished(server.close);
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(server.url);
  expect([await page.title(), await page.textContent('h1')]).toEqual(['ran', 'Hello']);
});
