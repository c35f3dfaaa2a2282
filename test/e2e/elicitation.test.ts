import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { launchBrowser } from '../kit/browser.ts';
import { lastToolResult, startDaemonWithClient } from '../kit/daemon-with-client.ts';
import { openPage } from '../kit/open-page.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { waitFor } from '../kit/wait.ts';

const server = fileURLToPath(new URL('../kit/elicit-server.mjs', import.meta.url));
const config = JSON.stringify({ mcpServers: { asker: { command: process.execPath, args: [server] } } });

test("an MCP server's request is answered with its form on the page, or declined there", async () => {
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const world = await startDaemonWithClient(
    [
      { when: 'first', reply: [callTool('mcp__asker__ask_name', {}), say('Hello there.')] },
      { when: 'second', reply: [callTool('mcp__asker__ask_name', {}), say('As you like.')] },
    ],
    { args: ['--mcp-config', config] },
  );
  const { client, call } = world;
  await call('POST', '/api/rules', { pattern: { toolName: 'mcp__asker__*' }, decision: 'allow' });
  // no one is at the terminal, so a request that would block it is held
  await call('PUT', '/api/away', { away: true });
  const page = await openPage(browser, world);
  const card = page.getByRole('region', { name: /Needs You/ }).getByRole('article');

  await client.prompt('first');
  await card.getByText('What is your name?').first().waitFor();
  const accept = card.getByRole('button', { name: 'Accept' });
  await accept.waitFor();
  expect((await call('GET', '/api/approvals?status=pending')).json.approvals).toMatchObject([
    { kind: 'elicitation', toolInput: { server: 'asker', message: 'What is your name?' } },
  ]);
  // the name is required
  expect(await accept.isDisabled()).toBe(true);
  const name = card.getByRole('textbox', { name: /name/ });
  await page.keyboard.press('j');
  // keys are ignored for a moment on a card that has just appeared
  await waitFor(
    async () => {
      await page.keyboard.press('a');
      return name.evaluate((field) => field === document.activeElement);
    },
    { what: 'the field to have the focus', interval: 1_500 },
  );
  // the last key press may have been typed into it
  await name.fill('');
  await page.keyboard.type('Ada');
  expect(await name.inputValue()).toBe('Ada');
  await page.keyboard.press('Enter');
  await client.waitForScreen(/Hello there\./);
  expect(lastToolResult(world)).toContain('Ada');

  await client.prompt('second');
  await card.getByRole('button', { name: 'Decline' }).click();
  await client.waitForScreen(/As you like\./);
  expect(lastToolResult(world)).toContain('decline');
});
