import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../kit/browser.ts';
import { lastToolResult, startDaemonWithClient } from '../kit/daemon-with-client.ts';
import { hasFocus, pressAlone, tabTo } from '../kit/keyboard.ts';
import { openPage } from '../kit/open-page.ts';
import { color, sizes } from '../kit/questions.ts';
import { callTool, say, thinkForever, writePlan } from '../kit/scripted-answer.ts';
import type { Scenario } from '../kit/scripted-api.ts';

const make = (name: string, then: string) => ({
  when: `make ${name}`,
  reply: [callTool('Bash', { command: `touch ${name}.txt` }), say(then)],
});
const scenario: Scenario = [
  make('one', 'Made one.'),
  make('two', 'So be it.'),
  make('three', 'Made three.'),
  make('four', 'Made four.'),
  { when: 'ask me', reply: [callTool('AskUserQuestion', { questions: [color, sizes] }), say('Thanks for all.')] },
  { when: 'plan first', reply: [writePlan('# The plan'), callTool('ExitPlanMode', {}), say('Planning on.')] },
  { when: 'plan second', reply: [callTool('ExitPlanMode', { plan: '1. do it well' }), say('Going ahead.')] },
  { when: 'think hard', reply: [thinkForever()] },
];

/** Keys that decide must not be part of a word; `r` starts a reply and follows the same rule. */
const DECIDES = new Set(['a', 'd', 'r']);

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('answers everything a real terminal asks without a mouse: permission, denial, question, plan, prompt, rule, stop', async () => {
  const world = await startDaemonWithClient(scenario);
  const { client, home, call } = world;
  const page = await openPage(browser, world);
  const keys = async (...pressed: string[]) => {
    for (const key of pressed) await (DECIDES.has(key) ? pressAlone(page, key) : page.keyboard.press(key));
  };
  const type = (text: string) => page.keyboard.type(text);
  const needsYou = page.getByRole('region', { name: /Needs You/ });
  const asksWith = (name: string) => needsYou.getByRole('button', { name, exact: true }).waitFor();
  const made = (name: string) => existsSync(join(home.project, `${name}.txt`));

  await client.prompt('make one');
  await asksWith('Allow');
  await keys('j', 'a');
  await client.waitForScreen(/Made one\./);
  expect(made('one')).toBe(true);

  // a prompt to an idle session, then a denial with a reason
  await needsYou.getByRole('textbox', { name: 'What next?' }).waitFor();
  await keys('j', 'r');
  await type('make two');
  await keys('Enter');
  await asksWith('Allow');
  // keystrokes after the form closed are ignored
  await type('and add a test ad');
  expect(await page.getByRole('textbox', { name: /Why not/ }).count()).toBe(0);
  // whatever had the focus, the card has it now
  await keys('Escape', 'j', 'r');
  await type('no need');
  await keys('Control+Enter');
  await client.waitForScreen(/So be it\./);
  expect(made('two')).toBe(false);
  expect(lastToolResult(world)).toContain('no need');

  await client.prompt('ask me');
  await asksWith('Answer');
  await keys('j', 'a');
  expect(await hasFocus(needsYou.getByRole('radio', { name: /Red/ }))).toBe(true);
  await keys('ArrowDown');
  await tabTo(page, needsYou.getByRole('checkbox', { name: /Small/ }));
  await keys('Space');
  await tabTo(page, needsYou.getByRole('textbox', { name: /Which sizes/ }));
  await type('and a huge one');
  await keys('Enter');
  await client.waitForScreen(/Thanks for all\./);
  expect(lastToolResult(world)).toMatch(/Blue[\s\S]*Small, and a huge one/);

  // in the inbox, with a rule for next time
  await client.prompt('make three');
  await keys('Escape', 'g', 'i');
  await page.getByRole('list', { name: 'Waiting' }).getByText('touch three.txt', { exact: true }).waitFor();
  await keys('j', 'Enter');
  const details = page.getByRole('region', { name: 'Details' });
  expect(await details.getByRole('region', { name: 'Command' }).textContent()).toBe('touch three.txt');
  await tabTo(page, details.getByRole('button', { name: 'Always…' }));
  await keys('Enter');
  const dialog = page.getByRole('dialog', { name: /Always allow Bash/ });
  await dialog.getByText('Covers this call.').waitFor();
  const save = dialog.getByRole('button', { name: /Save the rule/ });
  await tabTo(page, dialog.getByRole('textbox', { name: /Command/ }));
  await keys('Control+a');
  await type('rm *');
  await dialog.getByText("Doesn't cover this call").waitFor();
  expect(await save.isDisabled()).toBe(true);
  await keys('Control+a');
  await type('touch *');
  await dialog.getByText('Covers this call.').waitFor();
  await tabTo(page, save);
  await keys('Enter');
  await client.waitForScreen(/Made three\./);
  expect((await call('GET', '/api/rules')).json.rules).toMatchObject([
    { scope: 'project', decision: 'allow', pattern: { toolName: 'Bash', parameters: { command: 'touch *' } } },
  ]);
  // the same call doesn't ask again
  await client.prompt('make four');
  await client.waitForScreen(/Made four\./);
  expect(made('four')).toBe(true);

  await keys('g', 's');
  await client.press('BTab');
  await client.press('BTab');
  await client.waitForScreen(/plan mode/);
  await client.prompt('plan first');
  await asksWith('Approve');
  await keys('j', 'r');
  await type('Measure twice');
  await keys('Control+Enter');
  await client.waitForScreen(/Planning on\./);
  expect(lastToolResult(world)).toContain('Measure twice');
  await client.prompt('plan second');
  await asksWith('Approve');
  await keys('j', 'a');
  await client.waitForScreen(/Going ahead\./);
  expect(lastToolResult(world)).toContain('approved');

  await client.prompt('think hard');
  const stop = page.getByRole('region', { name: /Running/ }).getByRole('button', { name: 'Stop' });
  await stop.waitFor();
  await keys('j');
  await tabTo(page, stop, { back: true });
  await call('PUT', '/api/stop-wait', { seconds: 1 });
  await keys('Enter');
  const end = page.getByRole('region', { name: /Running/ }).getByRole('button', { name: 'End the process…' });
  await end.waitFor({ timeout: 60_000 });
  await tabTo(page, end);
  await keys('Enter');
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'End the process', exact: true }));
  await keys('Enter');
  await page
    .getByText(/Stopped in/)
    .first()
    .waitFor({ timeout: 60_000 });
  // the button is gone, and its card gets the focus immediately and keeps it when it moves
  expect(await hasFocus(page.locator('[data-card]'))).toBe(true);
  const ended = page.getByRole('region', { name: /Done/ }).locator('[data-card]');
  await ended.waitFor();
  expect(await hasFocus(ended)).toBe(true);
});
