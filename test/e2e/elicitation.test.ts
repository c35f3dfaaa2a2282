import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Approval } from '../../src/contract/approvals.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { waitFor } from '../kit/wait.ts';
import { startWorld } from '../kit/world.ts';

const server = fileURLToPath(new URL('../kit/elicit-server.mjs', import.meta.url));
const config = JSON.stringify({ mcpServers: { asker: { command: process.execPath, args: [server] } } });

test('what an MCP server asks of the person is answered, or declined, from outside', async () => {
  const { client, call, api } = await startWorld(
    [
      { when: 'first', reply: [callTool('mcp__asker__ask_name', {}), say('Hello there.')] },
      { when: 'second', reply: [callTool('mcp__asker__ask_name', {}), say('As you like.')] },
    ],
    { args: ['--mcp-config', config] },
  );
  await call('POST', '/api/rules', { pattern: { toolName: 'mcp__asker__*' }, decision: 'allow' });
  // nobody at the desk: what would stall the terminal is held
  await call('PUT', '/api/away', { away: true });
  const pending = (): Promise<Approval> =>
    waitFor(async () => (await call('GET', '/api/approvals?status=pending')).json.approvals[0], {
      what: 'the question',
      timeout: 60_000,
      context: client.lastScreen,
    });
  const told = () => JSON.stringify(api.requests.findLast(({ kind }) => kind === 'turn')?.body.messages);

  await client.prompt('first');
  const first = await pending();
  expect(first).toMatchObject({ kind: 'elicitation', toolInput: { server: 'asker', message: 'What is your name?' } });
  await call('POST', `/api/approvals/${first.id}/decision`, { decision: 'allow', updatedInput: { name: 'Ada' } });
  await client.waitForScreen(/Hello there\./);
  expect(told()).toContain('Ada');

  await client.prompt('second');
  await call('POST', `/api/approvals/${(await pending()).id}/decision`, { decision: 'deny' });
  await client.waitForScreen(/As you like\./);
  expect(told()).toContain('decline');
});
