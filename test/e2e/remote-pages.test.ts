import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { Link, Pairing } from '../../src/contract/access.ts';
import { launchBrowser } from '../kit/browser.ts';
import { apiCaller } from '../kit/call-api.ts';
import { startDaemonProcess } from '../kit/daemon-process.ts';
import { AXE, findBarriers } from '../kit/find-barriers.ts';
import { openHttpsDoor } from '../kit/https-door.ts';

const HOST = 'tower.test';
const SIZES = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;
const LOOKS = [
  ['phone', 'light'],
  ['phone', 'dark'],
  ['desk', 'light'],
  ['desk', 'dark'],
] as const;

/** Checks every size and theme. With SHOTS, saves screenshots in that folder. */
async function look(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const [size, colorScheme] of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(SIZES[size]);
    await page.evaluate(AXE);
    found.push(...(await findBarriers(page)).map((barrier) => `${name}, ${colorScheme} on the ${size}: ${barrier}`));
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (overflow > 0) found.push(`${name}, ${size}: ${overflow}px wider than the window`);
    if (process.env.SHOTS)
      await page.screenshot({ path: `${process.env.SHOTS}/${name}-${size}-${colorScheme}.png`, fullPage: true });
  }
  return found;
}

test('no accessibility problem while pairing a phone: trust, sign in, matching code, QR code, devices and channels', async () => {
  const daemon = await startDaemonProcess({ args: ['--no-hooks'] });
  onTestFinished(daemon.dispose);
  const call = apiCaller(daemon);
  const door = await openHttpsDoor(call, { dataDir: daemon.dataDir, host: HOST });
  const browser = await launchBrowser({ names: { hosts: [HOST], trustedKeys: [door.key] } });
  onTestFinished(() => browser.close());
  // the CSP of our pages blocks all scripts, including the accessibility checker
  const context = await browser.newContext({ viewport: SIZES.phone, hasTouch: true, bypassCSP: true });
  const page = await context.newPage();
  const found: string[] = [];

  await page.goto(`${door.url}/trust`);
  found.push(...(await look(page, 'trust')));
  await page.goto(door.url);
  await page.getByRole('heading', { name: 'Sign in to Ground Control' }).waitFor();
  found.push(...(await look(page, 'sign-in')));

  const link = (await call('POST', '/api/links', { role: 'admin', remote: true, name: 'My phone' })).json as Link;
  await page.goto(link.url);
  await page
    .getByRole('status')
    .getByText(/^\d\d-\d\d$/)
    .waitFor();
  found.push(...(await look(page, 'matching-code')));
  const [pairing] = (await call('GET', '/api/pairings')).json.pairings as Pairing[];
  await call('POST', `/api/pairings/${pairing!.id}/confirm`, {});
  await page.getByRole('status').getByText('Live').first().waitFor();

  // one more waiting device, one with limits, and channels in every state
  const second = (await call('POST', '/api/links', { role: 'viewer', remote: true })).json as Link;
  await fetch(`${daemon.url}/api/pair`, { method: 'POST' }).catch(() => undefined);
  const other = await context.browser()!.newContext();
  const waiting = await other.newPage();
  await waiting.goto(second.url);
  await waiting
    .getByRole('status')
    .getByText(/^\d\d-\d\d$/)
    .waitFor();
  await call('POST', '/api/tokens', { role: 'operator', name: 'Contractor', projects: ['/work/api'] });
  const phone = (
    await call('POST', '/api/notify/channels', {
      name: 'Chat',
      target: { kind: 'slack', url: 'https://hooks.slack.com/services/x' },
    })
  ).json.channel as { id: string };
  await call('POST', '/api/notify/channels', {
    name: 'Terminal',
    target: { kind: 'bell' },
    enabled: false,
    after: phone.id,
    delaySeconds: 60,
  });
  await page.goto(`${door.url}/settings`);
  await page.getByRole('button', { name: 'Pair a phone' }).tap();
  await page.getByRole('img', { name: 'QR code for pairing' }).waitFor();
  found.push(...(await look(page, 'settings')));
  if (process.env.SHOTS)
    for (const [size, colorScheme] of LOOKS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(SIZES[size]);
      for (const title of ['Devices', 'Notification channels']) {
        await page.getByRole('heading', { name: title }).scrollIntoViewIfNeeded();
        await page.screenshot({ path: `${process.env.SHOTS}/${title.replace(' ', '-')}-${size}-${colorScheme}.png` });
      }
    }
  await page.setViewportSize(SIZES.phone);
  await page.getByRole('button', { name: 'Edit Terminal' }).tap();
  await page.getByRole('dialog').waitFor();
  found.push(...(await look(page, 'channel')));
  expect(found).toEqual([]);
});
