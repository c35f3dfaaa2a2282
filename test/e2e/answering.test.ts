import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Approval } from '../../src/contract/approvals.ts';
import { launchBrowser } from '../kit/browser.ts';
import { lastToolResult, startDaemonWithClient } from '../kit/daemon-with-client.ts';
import { startDaemonWithHooks } from '../kit/daemon-with-hooks.ts';
import { pressAlone, tabTo } from '../kit/keyboard.ts';
import { openPage } from '../kit/open-page.ts';
import { color, sizes } from '../kit/questions.ts';
import { callTool, say, thinkForever, writePlan } from '../kit/scripted-answer.ts';
import type { Scenario } from '../kit/scripted-api.ts';
import { swipe } from '../kit/swipe.ts';
import { waitFor } from '../kit/wait.ts';

const PHONE = { width: 360, height: 740 };

const make = (name: string, then: string) => ({
  when: `make ${name}`,
  reply: [callTool('Bash', { command: `touch ${name}.txt` }), say(then)],
});

const scenario: Scenario = [
  make('one', 'Made one.'),
  make('two', 'So be it.'),
  { when: 'ask me', reply: [callTool('AskUserQuestion', { questions: [color, sizes] }), say('Thanks for all.')] },
  {
    when: 'plan first',
    reply: [writePlan('# The plan\n\n1. **Measure**'), callTool('ExitPlanMode', {}), say('Planning on.')],
  },
  { when: 'plan second', reply: [callTool('ExitPlanMode', { plan: '1. do it well' }), say('Going ahead.')] },
  { when: 'think hard', reply: [thinkForever()] },
];

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const needsYou = (page: Page) => page.getByRole('region', { name: /Needs You/ });

test.each([
  { place: 'at the desk', phone: false },
  { place: 'on a phone', phone: true },
])('a person $place answers a real terminal on the card, and the terminal continues', async ({ phone }) => {
  const world = await startDaemonWithClient(scenario);
  const { client, home } = world;
  const made = (name: string) => existsSync(join(home.project, `${name}.txt`));
  const page = await openPage(browser, { ...world, ...(phone ? { viewport: PHONE, touch: true } : {}) });
  const card = needsYou(page).getByRole('article');
  const press = (button: Locator) => (phone ? button.tap() : button.click());

  await client.prompt('make one');
  await card.getByText('touch one.txt').waitFor();
  expect(made('one')).toBe(false);
  await press(card.getByRole('button', { name: 'Allow' }));
  await client.waitForScreen(/Made one\./);
  expect(made('one')).toBe(true);

  // an idle session takes its next prompt on the card
  const box = card.getByRole('textbox', { name: 'What next?' });
  await box.fill('make two');
  await box.press('Enter');
  await card.getByText('touch two.txt').waitFor();
  await press(card.getByRole('button', { name: 'Deny because…' }));
  await card.getByRole('textbox', { name: /Why not/ }).fill('Not on a Friday');
  await press(card.getByRole('button', { name: 'Deny', exact: true }));
  await client.waitForScreen(/So be it\./);
  expect(made('two')).toBe(false);
  expect(lastToolResult(world)).toContain('Not on a Friday');

  await client.prompt('ask me');
  await card.getByRole('radio', { name: /Blue/ }).check();
  const answer = card.getByRole('button', { name: 'Answer' });
  expect(await answer.isDisabled()).toBe(true);
  await card.getByRole('checkbox', { name: /Small/ }).check();
  await card.getByRole('textbox', { name: /Which sizes/ }).fill('and a huge one');
  await press(answer);
  await client.waitForScreen(/Thanks for all\./);
  expect(lastToolResult(world)).toMatch(/Blue[\s\S]*Small, and a huge one/);

  await client.press('BTab');
  await client.press('BTab');
  await client.waitForScreen(/plan mode/);
  await client.prompt('plan first');
  await card.getByRole('heading', { name: 'The plan', exact: true }).waitFor();
  expect(await card.locator('strong').textContent()).toBe('Measure');
  await press(card.getByRole('button', { name: 'Reject with feedback…' }));
  await card.getByRole('textbox', { name: /What should change/ }).fill('Measure twice');
  await press(card.getByRole('button', { name: 'Reject', exact: true }));
  await client.waitForScreen(/Planning on\./);
  expect(lastToolResult(world)).toContain('Measure twice');
  await client.prompt('plan second');
  await press(card.getByRole('button', { name: 'Approve' }));
  await client.waitForScreen(/Going ahead\./);

  await client.prompt('think hard');
  // three columns, or three tabs on a phone
  const show = async (name: RegExp) => {
    if (phone) await page.getByRole('navigation', { name: 'Groups' }).getByRole('button', { name }).tap();
  };
  await show(/Running/);
  const running = page.getByRole('region', { name: /Running/ }).getByRole('article');
  await world.call('PUT', '/api/stop-wait', { seconds: 2 });
  await press(running.getByRole('button', { name: 'Stop' }));
  // it is only thinking: the page says so, and ends its process only on request
  await running.getByText(/No hook arrived within 2 s: it is thinking/).waitFor({ timeout: 60_000 });
  const resume = `cd ${home.project} && claude --resume ${await client.sessionId()}`;
  await running.getByText(resume).waitFor();
  await press(running.getByRole('button', { name: 'End the process…' }));
  expect(client.alive()).toBe(true);
  await press(page.getByRole('dialog').getByRole('button', { name: 'End the process', exact: true }));
  await show(/Done/);
  const done = page.getByRole('region', { name: /Done/ });
  await done.getByText(/Stopped in/).waitFor({ timeout: 60_000 });
  await done.getByText(resume).waitFor();
  expect(client.alive()).toBe(false);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

test('the second of two browsers learns who was first, and keeps its text', async () => {
  const { call, hook } = await startDaemonWithHooks();
  const phone = await openPage(browser, { call, name: 'Phone' });
  const desk = await openPage(browser, { call, name: 'Desk' });
  const ask = (command: string, id: string) => hook.ask('s1', command, id);
  await hook.start('s1', 'Race');

  void ask('touch a', 't1');
  const card = (page: Page) => needsYou(page).getByRole('article');
  await card(desk).getByRole('button', { name: 'Deny because…' }).click();
  await card(desk)
    .getByRole('textbox', { name: /Why not/ })
    .fill('I was about to say no');
  await card(phone).getByRole('button', { name: 'Allow' }).click();
  const note = desk.getByRole('alert').filter({ hasText: 'Too late' });
  await note.waitFor();
  expect(await note.textContent()).toMatch(/Phone \(\w+\) allowed it[\s\S]*I was about to say no/);
  await note.getByRole('button', { name: 'Dismiss' }).click();
  await note.waitFor({ state: 'detached' });

  // both pages decide before the daemon gets either decision, so the release order determines the winner
  const racers = { Phone: phone, Desk: desk };
  const said = { Phone: await holdDecisions(phone), Desk: await holdDecisions(desk) };
  for (const [round, first] of (['Desk', 'Phone', 'either'] as const).entries()) {
    const command = `touch b${round}`;
    void ask(command, `race-${round}`);
    const outcome = () =>
      waitFor(
        async () => {
          const { approvals } = (await call('GET', '/api/approvals?status=decided')).json as { approvals: Approval[] };
          return approvals.find(({ toolInput }) => toolInput.command === command);
        },
        { what: `the decision on ${command}` },
      );
    for (const page of [desk, phone]) await card(page).getByText(command).waitFor();
    await card(desk).getByRole('button', { name: 'Allow' }).click();
    await card(phone).getByRole('button', { name: 'Deny', exact: true }).click();
    const [ofDesk, ofPhone] = [await said.Desk(), await said.Phone()];
    if (first === 'either') {
      await Promise.all([ofDesk.continue(), ofPhone.continue()]);
    } else {
      const [early, late] = first === 'Desk' ? [ofDesk, ofPhone] : [ofPhone, ofDesk];
      await early.continue();
      await outcome();
      await late.continue();
    }
    const settled = await outcome();
    const winner = settled.decision?.by.startsWith('Phone') ? 'Phone' : 'Desk';
    if (first !== 'either') expect(winner).toBe(first);
    expect(settled.decision?.decision).toBe(winner === 'Desk' ? 'allow' : 'deny');
    const loser = racers[winner === 'Desk' ? 'Phone' : 'Desk'];
    const told = loser.getByRole('alert').filter({ hasText: 'Too late' });
    await told.waitFor();
    const deed = winner === 'Desk' ? /Desk \(\w+\) allowed it/ : /Phone \(\w+\) denied it/;
    expect(await told.textContent()).toMatch(deed);
    expect(await told.textContent()).toContain(command);
    expect(await racers[winner].getByRole('alert').filter({ hasText: 'Too late' }).count()).toBe(0);
    await told.getByRole('button', { name: 'Dismiss' }).click();
    await told.waitFor({ state: 'detached' });
  }

  const guest = await openPage(browser, { call, role: 'viewer' });
  void ask('touch c', 't3');
  await card(guest).getByText('touch c').waitFor();
  expect(await card(guest).getByRole('button', { name: 'Allow' }).isDisabled()).toBe(true);
  await card(guest).getByText('an operator can answer this').waitFor();
});

/** Intercepts the decisions of this page until the test releases them. */
async function holdDecisions(page: Page): Promise<() => Promise<Route>> {
  const held: Route[] = [];
  await page.route('**/api/approvals/*/decision', (route) => void held.push(route));
  return () => waitFor(() => held.shift(), { what: 'a decision' });
}

test('the inbox works by keyboard: one by one, and all of a kind at once', async () => {
  const { call, hook } = await startDaemonWithHooks();
  for (const id of ['s1', 's2', 's3']) {
    await hook.start(id, `Session ${id}`);
    void hook.ask(id, `npm run ${id}`, `t-${id}`);
    await waitFor(
      async () => (await call('GET', '/api/approvals?status=pending')).json.approvals.length === Number(id[1]),
      {
        what: `the request of ${id}`,
      },
    );
  }
  const page = await openPage(browser, { call, path: '/inbox' });
  const rows = page.getByRole('list', { name: 'Waiting' }).getByRole('listitem');
  await rows.nth(2).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('region', { name: 'Details' }).getByRole('button', { name: 'Deny', exact: true }));
  await page.keyboard.press('Enter');
  await waitFor(async () => (await rows.count()) === 2, { what: 'the first to go' });
  // the button is gone, and the focus moved to the next request
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('npm run s2');
  await pressAlone(page, 's');
  await page.getByText('2 selected').waitFor();
  await pressAlone(page, 'a');
  const dialog = page.getByRole('dialog', { name: 'Allow 2 requests?' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await pressAlone(page, 'a');
  expect(await dialog.textContent()).toMatch(/npm run s2[\s\S]*npm run s3/);
  await tabTo(page, dialog.getByRole('button', { name: 'Allow all 2' }));
  await page.keyboard.press('Enter');
  await page.getByText("You're all caught up").waitFor();
  const decided = (await call('GET', '/api/approvals?status=decided')).json.approvals;
  expect(decided.map((one: { decision: { decision: string } }) => one.decision.decision).sort()).toEqual([
    'allow',
    'allow',
    'deny',
  ]);
});

test('shows a request’s time limit, and denies it when time is up', async () => {
  const { call, hook } = await startDaemonWithHooks();
  const page = await openPage(browser, { call });
  await hook.start('s1', 'In a hurry');
  const ask = async (command: string, timeout: number) =>
    (await call('POST', '/request-approval', {
      session_id: 's1',
      tool_name: 'Bash',
      tool_input: { command },
      timeout,
    })) as { json: { decision: string; reason?: string } };

  expect((await ask('touch late', 1)).json).toMatchObject({ decision: 'deny', reason: 'timeout' });
  const answer = ask('touch now', 300);
  const card = page.getByRole('article').filter({ hasText: 'touch now' });
  const left = () => card.getByRole('timer').textContent();
  const first = await left();
  expect(first).toMatch(/^Denied in [45]m \d\ds if nobody answers$/);
  await waitFor(async () => (await left()) !== first, { what: 'the time to run down' });
  expect(await page.getByText('touch late').count()).toBe(0);
  await card.getByRole('button', { name: 'Allow' }).click();
  expect((await answer).json).toMatchObject({ decision: 'allow' });
});

test('a written reason goes with the denial, however it is given, and blocks an allow', async () => {
  const { call, hook } = await startDaemonWithHooks();
  const settled = async () => (await call('GET', '/api/approvals?status=decided')).json.approvals as Approval[];
  for (const way of ['key', 'swipe'] as const) {
    const page = await openPage(browser, { call, ...(way === 'swipe' ? { viewport: PHONE, touch: true } : {}) });
    await hook.start(way, 'Reasons');
    void hook.ask(way, `touch ${way}`, `t-${way}`);
    const card = needsYou(page)
      .getByRole('article')
      .filter({ hasText: `touch ${way}` });
    await card.getByRole('button', { name: 'Deny because…' }).click();
    await card.getByRole('textbox', { name: /Why not/ }).fill('Not on a Friday');
    const title = card.locator('[data-card]');
    const say = async (yes: boolean) => {
      if (way === 'swipe') return swipe(page, title, yes ? 200 : -200);
      await title.focus();
      await pressAlone(page, yes ? 'a' : 'd');
    };
    await say(true);
    await page.getByText('you are writing a reason to deny it').first().waitFor();
    await say(false);
    const denied = await waitFor(
      async () => (await settled()).find(({ toolInput }) => toolInput.command === `touch ${way}`),
      { what: 'the decision' },
    );
    expect(denied.decision).toMatchObject({ decision: 'deny', message: 'Not on a Friday' });
    await page.close();
  }
});

test('on a phone a swipe decides, can be undone, and is not lost when the page is left', async () => {
  const { call, hook } = await startDaemonWithHooks();
  const pending = async () => (await call('GET', '/api/approvals?status=pending')).json.approvals as Approval[];
  const holdFor = (seconds: number) => call('PUT', '/api/undo-window', { seconds });
  const page = await openPage(browser, { call, viewport: PHONE, touch: true });
  const origin = new URL(page.url()).origin;
  const places = [
    { path: '/', row: '[data-card]' },
    { path: '/inbox', row: '[data-row]' },
  ];
  for (const [index, { path, row }] of places.entries()) {
    const command = `touch ${index}`;
    await hook.start(`s${index}`, 'Swipe me');
    void hook.ask(`s${index}`, command, `t${index}`);
    await page.goto(origin + path);
    const target = page.locator(row).first();
    await page.getByText(command).first().waitFor();

    await holdFor(60);
    await swipe(page, target, 200);
    await page.getByText(`Allowing ${command}`).first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await page.getByText(`Allowing ${command}`).first().waitFor({ state: 'detached' });
    expect(await pending()).toHaveLength(1);

    await holdFor(3);
    await swipe(page, target, -200);
    await waitFor(async () => (await pending()).every(({ held }) => held), { what: 'the denial' });
    await page.goto('about:blank');
    await waitFor(async () => (await pending()).length === 0, { what: 'the decision that was said on the page' });
    const settled = (await call('GET', '/api/approvals?status=decided')).json.approvals as Approval[];
    expect(settled.find(({ toolInput }) => toolInput.command === command)?.decision).toMatchObject({
      decision: 'deny',
    });
  }
});
