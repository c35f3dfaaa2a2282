import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { Link, Pairing } from '../../src/contract/access.ts';
import type { Channel } from '../../src/contract/notify.ts';
import { launchBrowser } from '../kit/browser.ts';
import { startDaemonWithClient } from '../kit/daemon-with-client.ts';
import { openHttpsDoor } from '../kit/https-door.ts';
import { pushDeliverer, serviceWorkerOf, shownBy, subscribeTo, tap } from '../kit/push-browser.ts';
import { startPushEndpoint } from '../kit/push-endpoint.ts';
import { callTool, say } from '../kit/scripted-answer.ts';

const PHONE = { width: 390, height: 844 };
const HOST = 'tower.test';

test('a phone pairs over TLS, gets a push, confirms its display, approves from the notification, and loses access once revoked', async () => {
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

  const door = await openHttpsDoor(call, { dataDir: daemon.dataDir, host: HOST });
  const browser = await launchBrowser({ whole: true, names: { hosts: [HOST], trustedKeys: [door.key] } });
  onTestFinished(() => browser.close());
  const context = await browser.newContext({ viewport: PHONE, hasTouch: true, colorScheme: 'light' });
  const page = await context.newPage();
  let authorization = '';
  page.on('request', (request) => {
    authorization = request.headers().authorization ?? authorization;
  });
  await pairByQr(page, call);
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

  // the phone is in a pocket: its page isn't visible
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
  // the notification is withdrawn and says how it ended
  await expect.poll(() => push.pushed.length).toBe(3);
  expect(JSON.parse(push.pushed[2]!.text)).toMatchObject({ part: 'settled', title: 'Allowed: Permission needed' });

  // only a command that a pattern fully covers can be answered unread
  await client.prompt('make two');
  await expect.poll(() => push.pushed.length).toBe(4);
  await deliver(push.pushed[3]!.text);
  await expect.poll(async () => (await shownBy(worker)).at(-1)?.data.part).toBe('notice');
  // on systems without notification buttons, the tap opens a page with both answers: two taps in total
  const { url } = (await shownBy(worker)).at(-1)!.data;
  await page.goto(door.url + url);
  await page
    .getByRole('button', { name: /^Allow/ })
    .first()
    .tap();
  await client.waitForScreen(/Made two\./);

  const { deviceId } = await channel();
  await page.goto(door.url);
  await page.getByRole('status').getByText('Live').first().waitFor();
  const stream = await door.get('/api/live/stream', authorization);
  const closed = new Promise<number>((resolve) => stream.once('close', () => resolve(performance.now())));
  stream.resume().on('error', () => undefined);
  expect(stream.statusCode).toBe(200);
  const before = performance.now();
  expect((await call('DELETE', `/api/devices/${deviceId}`)).status).toBe(204);
  expect((await closed) - before).toBeLessThan(1000);
  await page.getByText('Sign in', { exact: false }).first().waitFor();
  for (const path of ['/api/sessions', '/api/approvals', '/api/devices', '/api/live/stream'])
    expect((await door.get(path, authorization)).resume().statusCode).toBe(401);
  expect((await call('GET', '/api/notify/channels')).json.channels).toEqual([]);

  // the computer goes to sleep: the phone says so, and since when
  await daemon.kill('SIGKILL');
  await page.goto(door.url);
  await page.getByRole('heading', { name: "Can't reach Ground Control" }).waitFor();
  await page.getByText(/^Last reached .*\d{4}/).waitFor();
  expect(await page.getByRole('link', { name: 'Try again' }).getAttribute('href')).toBe('/');
});

type Call = Awaited<ReturnType<typeof startDaemonWithClient>>['call'];

/** Opens the link in the QR code and confirms the device on the machine, which shows the same numbers. */
async function pairByQr(page: Page, call: Call): Promise<void> {
  const link = (await call('POST', '/api/links', { role: 'operator', remote: true, name: 'My phone' })).json as Link;
  expect(link.url).toMatch(/^https:\/\/tower\.test:\d+\/pair#code=/);
  await page.goto(link.url);
  const shown = page.getByRole('status').getByText(/^\d\d-\d\d$/);
  await shown.waitFor();
  expect(page.url()).not.toContain('code');
  const [pairing] = (await call('GET', '/api/pairings')).json.pairings as Pairing[];
  expect(pairing).toMatchObject({ name: 'My phone', match: await shown.textContent() });
  expect((await call('POST', `/api/pairings/${pairing!.id}/confirm`, {})).status).toBe(204);
  await page.getByRole('status').getByText('Live').first().waitFor();
  expect(await page.evaluate(() => window.isSecureContext)).toBe(true);
}
