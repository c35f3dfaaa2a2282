import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Channel } from '../../src/contract/notify.ts';
import { launchBrowser } from '../kit/browser.ts';
import { startDaemonWithClient } from '../kit/daemon-with-client.ts';
import { openPage } from '../kit/open-page.ts';
import { pushDeliverer, serviceWorkerOf, shownBy, subscribeTo, tap } from '../kit/push-browser.ts';
import { startPushEndpoint } from '../kit/push-endpoint.ts';
import { callTool, say } from '../kit/scripted-answer.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const PHONE = { width: 390, height: 844 };

test('a phone gets a push, proves that it was shown, and approves from the notification', async () => {
  const push = await startPushEndpoint();
  onTestFinished(push.close);
  const world = await startDaemonWithClient([
    { when: 'make one', reply: [callTool('Bash', { command: 'touch one.txt' }), say('Made one.')] },
    { when: 'make two', reply: [callTool('Bash', { command: 'touch two.txt && touch three.txt' }), say('Made two.')] },
  ]);
  const { call, client, home, daemon } = world;
  const preferences = join(daemon.dataDir, 'preferences.json');
  writeFileSync(
    preferences,
    JSON.stringify({ ...JSON.parse(readFileSync(preferences, 'utf8')), notifyHosts: [push.host] }),
  );
  const blind = [{ toolName: 'Bash', parameters: { command: 'touch *' } }];
  expect((await call('PUT', '/api/notify/settings', { contact: 'mailto:me@example.com', blind })).status).toBe(200);

  const page = await openPage(browser, { call, viewport: PHONE, touch: true, name: 'My phone' });
  await subscribeTo(page, push.subscription);
  await page.goto(new URL('/settings', page.url()).href);
  await page.getByRole('button', { name: 'Turn on push for this browser' }).tap();
  await page.getByText('Push is on for this browser.').waitFor();
  const deliver = await pushDeliverer(page);
  const worker = await serviceWorkerOf(page.context());
  const channel = async (): Promise<Channel> => (await call('GET', '/api/notify/channels')).json.channels[0];

  await page.getByRole('button', { name: 'Send test' }).tap();
  await expect.poll(() => push.pushed.length).toBe(1);
  await deliver(push.pushed[0]!.text);
  await expect.poll(async () => (await channel()).recent[0]?.state).toBe('shown');
  await page.getByText('Recent: Shown').waitFor();
  expect((await shownBy(worker)).map(({ title }) => title)).toEqual(['Test from Ground Control']);
  await tap(worker);

  // the phone is in a pocket: its page is not being looked at
  await page.goto('about:blank');
  await client.prompt('make one');
  await expect.poll(() => push.pushed.length).toBe(2);
  await deliver(push.pushed[1]!.text);
  const shown = async () => (await shownBy(worker)).map(({ title, actions }) => [title, ...actions]);
  await expect.poll(shown).toEqual([['Permission needed', 'allow', 'deny']]);
  await tap(worker, 'allow');
  await client.waitForScreen(/Made one\./);
  expect(existsSync(join(home.project, 'one.txt'))).toBe(true);
  const { entries } = (await call('GET', '/api/audit?action=approval.decided&order=newest')).json;
  expect(entries[0]).toMatchObject({ by: expect.stringContaining('My phone'), outcome: 'allow' });
  // the card is withdrawn, and says how it ended
  await expect.poll(() => push.pushed.length).toBe(3);
  expect(JSON.parse(push.pushed[2]!.text)).toMatchObject({ part: 'settled', title: 'Allowed: Permission needed' });

  // only what a pattern covers in whole may be answered unread
  await client.prompt('make two');
  await expect.poll(() => push.pushed.length).toBe(4);
  await deliver(push.pushed[3]!.text);
  await expect.poll(async () => (await shownBy(worker)).at(-1)?.data.part).toBe('notice');
  await call('POST', `/api/approvals/${JSON.parse(push.pushed[3]!.text).approvalId}/decision`, { decision: 'allow' });
  await client.waitForScreen(/Made two\./);

  const { deviceId } = await channel();
  await page.goto(daemon.url);
  await page.getByRole('status').getByText('Live').first().waitFor();
  expect((await call('DELETE', `/api/devices/${deviceId}`)).status).toBe(204);
  await page.getByText('Sign in', { exact: false }).first().waitFor();
  expect((await call('GET', '/api/notify/channels')).json.channels).toEqual([]);
});
