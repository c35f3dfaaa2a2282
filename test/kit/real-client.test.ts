import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeClientHome } from './client-home.ts';
import { startHookRecorder } from './hook-recorder.ts';
import { hookSettings } from './hook-settings.ts';
import { startInteractive } from './real-client.ts';
import { callTool, say, thinkForever } from './scripted-answer.ts';
import { type Scenario, startScriptedApi } from './scripted-api.ts';

async function startDaemonWithClient(scenario: Scenario) {
  const api = await startScriptedApi(scenario);
  onTestFinished(api.close);
  const recorder = await startHookRecorder();
  onTestFinished(recorder.close);
  const home = await makeClientHome({ apiUrl: api.url, settings: hookSettings(recorder.url) });
  onTestFinished(home.dispose);
  const client = await startInteractive(home);
  onTestFinished(client.dispose);
  return { api, recorder, home, client };
}

test('a permission dialog is answered at the keyboard', async () => {
  const { recorder, home, client } = await startDaemonWithClient([
    { when: 'make a file', reply: [callTool('Bash', { command: 'touch made.txt' }), say('There it is.')] },
  ]);
  const sessionId = await client.sessionId();

  await client.prompt('make a file');
  await client.waitForScreen(/Do you want to proceed/);
  expect(await client.waitForStatus('waiting')).toMatchObject({ sessionId, waitingFor: 'permission prompt' });
  expect(await client.agentsJson()).toMatchObject([
    { pid: client.pid, sessionId, status: 'waiting', waitingFor: 'permission prompt' },
  ]);

  await client.press('Enter');
  await recorder.waitForHook('Stop');
  await client.waitForStatus('idle');
  expect(existsSync(join(home.project, 'made.txt'))).toBe(true);

  await client.exit();
  expect(await client.pidFile()).toBeUndefined();
  const events = recorder.hooks.map(({ payload }) => payload.hook_event_name);
  // a slow machine sees the reminder that follows the dialog after six seconds
  expect(events.filter((event) => event !== 'Notification')).toEqual([
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PermissionRequest',
    'PostToolUse',
    'PostToolBatch',
    'Stop',
    'SessionEnd',
  ]);
});

test('Esc interrupts a model that thinks, and the next prompt starts clean', async () => {
  const { recorder, client } = await startDaemonWithClient([
    { when: 'think hard', reply: [thinkForever()] },
    { when: 'hello', reply: [say('Hi.')] },
  ]);
  await client.prompt('think hard');
  await client.waitForStatus('busy');
  await client.press('Escape');
  await client.waitForStatus('idle');
  await client.prompt('hello');
  const { payload } = await recorder.waitForHook('Stop');
  expect(payload).toMatchObject({ last_assistant_message: 'Hi.' });
});
