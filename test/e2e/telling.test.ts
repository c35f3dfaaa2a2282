import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Prompt } from '../../src/contract/prompts.ts';
import { launchBrowser } from '../kit/browser.ts';
import { startDaemonWithClient } from '../kit/daemon-with-client.ts';
import { openPage } from '../kit/open-page.ts';
import { apiError, callTool, say } from '../kit/scripted-answer.ts';

const make = (name: string) => ({
  when: `make ${name}`,
  reply: [callTool('Bash', { command: `touch ${name}.txt` }), say(`Made ${name}.`)],
});

test('sends prompts from the page: a retry after an error, and the next task while it works', async () => {
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const world = await startDaemonWithClient(
    [
      ...['one', 'two', 'three'].map(make),
      { when: 'fail', reply: [apiError(400, 'no such thing')] },
      {
        when: 'run long',
        reply: [callTool('Bash', { command: 'until [ -f go ]; do sleep 0.1; done' }), say('It went.')],
      },
    ],
    { args: ['--allowedTools', 'Bash'] },
  );
  const { client, home, daemon, call } = world;
  const made = (name: string) => existsSync(join(home.project, `${name}.txt`));
  const id = await client.sessionId();
  const page = await openPage(browser, world);

  await client.prompt('fail');
  const card = page.getByRole('region', { name: /Needs You/ }).getByRole('article');
  await card.getByText('Error', { exact: true }).waitFor();
  await card.getByRole('textbox', { name: /What should it do differently/ }).fill('make one');
  await card.getByRole('button', { name: 'Retry' }).click();
  await client.waitForScreen(/Made one\./);
  expect(made('one')).toBe(true);

  await page.goto(`${daemon.url}/sessions/${id}`);
  await client.prompt('run long');
  const box = page.getByRole('textbox', { name: 'What should it do when this turn ends?' });
  const waiting = page.getByRole('list', { name: 'Queued prompts' }).getByRole('listitem');
  await box.fill('/compact');
  await box.press('Enter');
  await page.getByText(/would reach the model as plain text and not run/).waitFor();
  await page.getByRole('button', { name: 'Send as plain text' }).waitFor();
  for (const text of ['make two', 'make three']) {
    await box.fill(text);
    await box.press('Enter');
    await waiting.filter({ hasText: text }).waitFor();
  }
  await page.getByRole('button', { name: 'Cancel: make two' }).click();
  await waiting.filter({ hasText: 'make two' }).waitFor({ state: 'detached' });
  writeFileSync(join(home.project, 'go'), '');
  await client.waitForScreen(/Made three\./);
  await waiting.first().waitFor({ state: 'detached' });
  expect(made('two')).toBe(false);
  const { prompts } = (await call('GET', `/api/sessions/${id}/prompts`)).json as { prompts: Prompt[] };
  expect(prompts.map(({ text, status }) => `${text}: ${status}`)).toEqual([
    'make one: delivered',
    'make two: cancelled',
    'make three: delivered',
  ]);
});
