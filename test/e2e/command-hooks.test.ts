import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { apiCaller } from '../kit/call-api.ts';
import { makeClientHome } from '../kit/client-home.ts';
import { startDaemonProcess } from '../kit/daemon-process.ts';
import { startInteractive } from '../kit/real-client.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { startScriptedApi } from '../kit/scripted-api.ts';
import { waitFor } from '../kit/wait.ts';

test('a command carries the decision into the dialog if the client cannot use http hooks', async () => {
  const api = await startScriptedApi([
    { when: 'make one', reply: [callTool('Bash', { command: 'touch one.txt' }), say('Made one.')] },
    { when: 'make two', reply: [callTool('Bash', { command: 'touch two.txt' }), say('So be it.')] },
  ]);
  onTestFinished(api.close);
  const home = await makeClientHome({ apiUrl: api.url });
  onTestFinished(home.dispose);
  // a proxy in its environment makes the daemon register commands, as for a client without http hooks
  const env = { CLAUDE_CONFIG_DIR: home.configDir, http_proxy: 'http://127.0.0.1:9' };
  const daemon = await startDaemonProcess({ args: ['--hooks'], env });
  onTestFinished(daemon.dispose);
  expect(readFileSync(join(home.configDir, 'settings.json'), 'utf8')).not.toContain('"http"');
  const client = await startInteractive(home);
  onTestFinished(client.dispose);
  const call = apiCaller(daemon);

  async function decide(body: object): Promise<void> {
    await client.waitForScreen(/Do you want to proceed/);
    const { id } = await waitFor(async () => (await call('GET', '/api/approvals?status=pending')).json.approvals[0], {
      what: 'the approval',
      timeout: 60_000,
      context: client.lastScreen,
    });
    expect(await call('POST', `/api/approvals/${id}/decision`, body)).toMatchObject({ status: 200 });
  }

  await client.prompt('make one');
  await decide({ decision: 'allow' });
  await client.waitForScreen(/Made one\./);
  expect(existsSync(join(home.project, 'one.txt'))).toBe(true);

  await client.prompt('make two');
  await decide({ decision: 'deny', message: 'Not on a Friday' });
  await client.waitForScreen(/So be it\./);
  expect(existsSync(join(home.project, 'two.txt'))).toBe(false);
  expect(JSON.stringify(api.requests.at(-1)?.body.messages)).toContain('Not on a Friday');
});
