import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { Link, Pairing } from '../../src/contract/access.ts';
import type { PasskeyList } from '../../src/contract/passkeys.ts';
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

test('no accessibility problem while pairing a phone: trust, sign in, matching code, QR code, devices, channels and passkeys', async () => {
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
  const blind = page.getByRole('region', { name: 'Answers from notifications' });
  for (const command of ['npm test*', 'git status']) {
    await blind.getByRole('textbox', { name: 'Command' }).fill(command);
    await blind.getByRole('button', { name: 'Add' }).tap();
    await blind.getByText(`Bash(${command})`).waitFor();
  }
  await blind.getByRole('button', { name: 'Remove Bash(git status)' }).tap();
  await blind.getByText('Bash(git status)').waitFor({ state: 'detached' });
  expect((await call('GET', '/api/notify/settings')).json.blind).toEqual([
    { toolName: 'Bash', parameters: { command: 'npm test*' } },
  ]);
  await page.getByRole('button', { name: 'Pair a phone' }).tap();
  await page.getByRole('img', { name: 'QR code for pairing' }).waitFor();
  found.push(...(await look(page, 'settings')));
  await shoot(page, ['Devices', 'Notification channels', 'Answers from notifications']);
  await page.setViewportSize(SIZES.phone);
  await page.getByRole('button', { name: 'Edit Terminal' }).tap();
  await page.getByRole('dialog').waitFor();
  found.push(...(await look(page, 'channel')));
  await page.getByRole('button', { name: 'Close' }).click();

  await page.setViewportSize(SIZES.phone);
  const authenticator = await attachAuthenticator(page);
  await page.getByText('Get the code on the machine itself', { exact: false }).waitFor();
  await page.getByRole('textbox', { name: 'Code' }).fill('BCDF-GHJK');
  await page.getByRole('button', { name: 'Add a passkey' }).tap();
  await page.getByText('This code is wrong, used or expired', { exact: false }).waitFor();
  const { code } = (await call('POST', '/api/passkeys/codes')).json as { code: string };
  await page.getByRole('textbox', { name: 'Code' }).fill(code);
  await page.getByRole('button', { name: 'Add a passkey' }).tap();
  await page.getByText('This device · works at tower.test', { exact: false }).waitFor();
  await page.getByRole('switch', { name: 'Ask for a passkey before dangerous actions' }).tap();
  await page.getByRole('group', { name: 'To do this' }).waitFor();
  found.push(...(await look(page, 'passkeys')));
  await shoot(page, ['Passkeys']);

  // canceled: nothing happens
  await page.setViewportSize(SIZES.phone);
  await page.getByRole('button', { name: 'Create link' }).tap();
  const dialog = page.getByRole('dialog', { name: 'Confirm with your passkey' });
  await dialog.getByText('Add devices and tokens, and change remote access').waitFor();
  found.push(...(await look(page, 'passkey-dialog')));
  await page.setViewportSize(SIZES.phone);
  await dialog.getByRole('button', { name: 'Cancel' }).tap();
  await page.getByText("Nothing was changed: you didn't confirm with your passkey.").waitFor();

  // somebody else's finger
  await authenticator.verifies(false);
  await page.getByRole('button', { name: 'Create link' }).tap();
  await dialog.getByRole('button', { name: 'Use passkey' }).tap();
  await dialog.getByRole('alert').getByText('The passkey was canceled or took too long. Try again.').waitFor();
  await authenticator.verifies(true);
  await dialog.getByRole('button', { name: 'Use passkey' }).tap();
  await page.getByText('Open this on the other browser', { exact: false }).waitFor();
  const { entries } = (await call('GET', '/api/audit?action=access.passkey_used&order=newest')).json;
  expect(entries[0]).toMatchObject({ detail: expect.stringContaining('confirmed POST /api/links') });

  // the phone can't switch it off without the passkey; the machine can
  await authenticator.verifies(false);
  await page.getByRole('switch', { name: 'Ask for a passkey before dangerous actions' }).tap();
  await dialog.getByText('Change when passkeys are needed').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).tap();
  const { settings } = (await call('GET', '/api/passkeys')).json as PasskeyList;
  expect(settings.required).toBe(true);
  expect((await call('PUT', '/api/passkeys/settings', { ...settings, required: false })).status).toBe(200);
  await page.getByRole('group', { name: 'To do this' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Revoke Passkey on Linux' }).tap();
  await page.getByText('No passkeys yet.').waitFor();

  // on this machine, an address has no passkeys and a name has
  const here = await (await browser.newContext({ bypassCSP: true })).newPage();
  await here.goto(((await call('POST', '/api/links', { role: 'admin' })).json as Link).url);
  await here.getByRole('status').getByText('Live').first().waitFor();
  await here.goto(`${daemon.url}/settings`);
  const { port } = new URL(daemon.url);
  await here.getByText(`open http://localhost:${port} and sign in there`, { exact: false }).waitFor();
  const named = ((await call('POST', '/api/links', { role: 'admin' })).json as Link).url;
  await here.goto(named.replace('127.0.0.1', 'localhost'));
  await here.getByRole('status').getByText('Live').first().waitFor();
  await here.goto(`http://localhost:${port}/settings`);
  await attachAuthenticator(here);
  await here.getByRole('button', { name: 'Add a passkey' }).click();
  await here.getByText('This device · works at localhost', { exact: false }).waitFor();
  expect(found).toEqual([]);
});

/** With SHOTS: these sections of the settings. */
async function shoot(page: Page, titles: string[]): Promise<void> {
  if (!process.env.SHOTS) return;
  for (const [size, colorScheme] of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(SIZES[size]);
    for (const title of titles) {
      await page
        .getByRole('heading', { name: title })
        .evaluate((heading) => heading.scrollIntoView({ block: 'start' }));
      await page.screenshot({ path: `${process.env.SHOTS}/${title.replace(' ', '-')}-${size}-${colorScheme}.png` });
    }
  }
}

/** A fingerprint reader, as DevTools simulates it. */
async function attachAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    verifies: (isUserVerified: boolean) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}
