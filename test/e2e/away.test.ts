import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { LiveSession } from '../../src/contract/sessions.ts';
import { answerDialog } from '../kit/answer-dialog.ts';
import { apiCaller } from '../kit/call-api.ts';
import { makeClientHome } from '../kit/client-home.ts';
import { type DaemonProcess, newHome, startDaemonProcess } from '../kit/daemon-process.ts';
import { startInteractive } from '../kit/real-client.ts';
import { callTool, say, thinkForever } from '../kit/scripted-answer.ts';
import { startScriptedApi } from '../kit/scripted-api.ts';
import { waitFor } from '../kit/wait.ts';

const loop = 'for i in 1 2 3 4 5 6; do sleep 0.5; done; touch looped';

test('shows what sessions do after the daemon was away', async () => {
  const api = await startScriptedApi([
    { when: 'work on', reply: [callTool('Bash', { command: loop }), say('The work is done.')] },
    { when: 'write it', reply: [callTool('Write', { file_path: 'new.txt', content: 'x' }), say('Written.')] },
    { when: 'think hard', reply: [thinkForever()] },
  ]);
  onTestFinished(api.close);
  const home = await makeClientHome({ apiUrl: api.url, settings: { permissions: { allow: ['Bash'] } } });
  onTestFinished(home.dispose);
  const daemonHome = newHome();
  const up = () =>
    startDaemonProcess({ home: daemonHome, args: ['--hooks'], env: { CLAUDE_CONFIG_DIR: home.configDir } });
  let daemon: DaemonProcess = await up();
  onTestFinished(() => daemon.kill('SIGKILL'));
  const client = await startInteractive(home);
  onTestFinished(client.dispose);
  const id = await client.sessionId();
  const session = async (): Promise<LiveSession> => (await apiCaller(daemon)('GET', `/api/sessions/${id}`)).json;
  // on a busy machine the first answer can be older than what the pid file and the transcript say
  const state = async () => (await session()).agentState;
  const whenStateIs = (state: string) =>
    waitFor(async () => (await session()).agentState.state === state, {
      what: state,
      timeout: 60_000,
      context: client.lastScreen,
    });

  await client.prompt('work on');
  await whenStateIs('acting');
  await daemon.kill('SIGKILL');
  await client.waitForScreen(/The work is done/);
  await client.waitForStatus('idle');
  expect(existsSync(join(home.project, 'looped'))).toBe(true);
  daemon = await up();
  await expect.poll(state).toMatchObject({ state: 'idle', label: 'Waiting for your next prompt' });

  await daemon.kill('SIGKILL');
  await client.prompt('write it');
  await client.waitForStatus('waiting');
  daemon = await up();
  await expect.poll(state).toMatchObject({ state: 'needs_permission', onlyInTerminal: true });
  await answerDialog(client, /Do you want to/, 'Enter');
  await client.waitForScreen(/Written\./);

  await client.waitForStatus('idle');
  await daemon.kill('SIGKILL');
  await client.prompt('think hard');
  await client.waitForStatus('busy');
  daemon = await up();
  await expect.poll(state).toMatchObject({ group: 'autonomous', state: 'thinking' });
  await client.press('Escape');
  await client.waitForStatus('idle');
  await waitFor(async () => (await session()).agentState.group === 'needs_you', { what: 'Esc to be noticed' });
});
