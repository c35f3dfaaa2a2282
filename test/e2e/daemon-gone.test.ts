import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ClientHome, makeClientHome } from '../kit/client-home.ts';
import { startDaemonProcess } from '../kit/daemon-process.ts';
import { childrenOf } from '../kit/processes.ts';
import { runHeadless, startInteractive } from '../kit/real-client.ts';
import { makeGctlHome } from '../kit/run-gctl.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { startScriptedApi } from '../kit/scripted-api.ts';

const SETTINGS = '{"model":"opus"}';

/** Enough reads to keep going, with a hook every few milliseconds. */
const READS = Array.from({ length: 2000 }, (_, n) => callTool('Read', { file_path: 'README.md', limit: n + 1 }));

async function makeWorld() {
  const api = await startScriptedApi([
    { when: 'read on', reply: READS },
    { when: 'hello', reply: [callTool('Read', { file_path: 'README.md' }), say('Hello yourself.')] },
  ]);
  onTestFinished(api.close);
  const home = await makeClientHome({ apiUrl: api.url });
  onTestFinished(home.dispose);
  writeFileSync(settingsFile(home), SETTINGS);
  const start = async () => {
    const daemon = await startDaemonProcess({ args: ['--hooks'], env: { CLAUDE_CONFIG_DIR: home.configDir } });
    onTestFinished(daemon.dispose);
    await expect.poll(() => settings(home), { timeout: 30_000 }).toContain(`${daemon.url}/api/live/hook`);
    return daemon;
  };
  return { home, api, start };
}

const settingsFile = ({ configDir }: ClientHome) => join(configDir, 'settings.json');
const settings = (home: ClientHome) => readFileSync(settingsFile(home), 'utf8');

/** What a working session shows when the daemon, its hooks and its stand-in are all gone. */
async function endUnderLoad(signal: NodeJS.Signals) {
  const { home, api, start } = await makeWorld();
  const daemon = await start();
  const client = await startInteractive(home);
  onTestFinished(client.dispose);
  await client.prompt('read on');
  await expect.poll(() => api.requests.length, { timeout: 60_000 }).toBeGreaterThan(5);
  await daemon.kill(signal);
  await expect.poll(() => settings(home), { timeout: 30_000 }).toBe(SETTINGS);
  await expect.poll(() => isRefused(daemon.url), { timeout: 30_000 }).toBe(true);
  const before = api.requests.length;
  await expect.poll(() => api.requests.length, { timeout: 60_000 }).toBeGreaterThan(before + 3);
  await client.press('Escape');
  await client.waitForStatus('idle');
  const screen = await client.screen();
  const failures = hookFailures(home, await client.sessionId());
  await client.exit();
  return { screens: screen + client.lastScreen(), failures };
}

test('a working session is not affected when the daemon stops', async () => {
  const { failures, screens } = await endUnderLoad('SIGTERM');
  expect(failures).toEqual([]);
  expect(screens).not.toMatch(/hook error/i);
});

test('a working session is not affected by kill -9, except for a call that was being answered', async () => {
  const { failures } = await endUnderLoad('SIGKILL');
  expect(failures.length, failures.join()).toBeLessThanOrEqual(1);
  expect(failures.join()).not.toContain('ECONNREFUSED');
});

/** On a busy machine, the client may reread its settings only after the stand-in has left. */
const IN_TIME = { retry: 2 };

test('a session silently removes the hooks of a long-dead daemon', IN_TIME, async () => {
  const { home, start } = await makeWorld();
  const daemon = await start();
  // as after a power cut, which also kills the keeper
  for (const child of await childrenOf(daemon.pid)) process.kill(child, 'SIGKILL');
  await daemon.kill('SIGKILL');
  const orphaned = settings(home);
  expect(orphaned).toContain('"type":"http"');

  expect(await runHeadless(home, 'hello')).toEqual({ code: 0, stdout: 'Hello yourself.\n', stderr: '' });
  await expect.poll(() => settings(home), { timeout: 30_000 }).toBe(SETTINGS);
  await expect.poll(() => isRefused(daemon.url), { timeout: 30_000 }).toBe(true);

  writeFileSync(settingsFile(home), orphaned);
  // the prompt arrives right at startup, the worst moment
  const client = await startInteractive(home, { args: ['hello'] });
  onTestFinished(client.dispose);
  await client.waitForScreen(/Hello yourself/);
  await client.waitForStatus('idle');
  expect(await client.screen()).not.toMatch(/error|ECONN/i);
  await expect.poll(() => settings(home), { timeout: 30_000 }).toBe(SETTINGS);
  await client.exit();
  expect(client.lastScreen()).not.toMatch(/error|ECONN/i);
});

test('after kill -9 the next start on the same port registers again, and doctor sees hooks that call nothing', async () => {
  const { gctl, settings: read, writeSettings, daemon } = makeGctlHome();
  writeSettings(SETTINGS);
  const up = (port: number) => gctl('up', '--detach', '--no-open', '--hooks', '--port', String(port));
  await up(0);
  const { port, pid } = daemon()!;
  const registered = read();
  process.kill(pid, 'SIGKILL');
  // immediately: the dead daemon's stand-in hands over the port
  expect(await up(port)).toMatchObject({ code: 0, stderr: '' });
  expect(daemon()).toMatchObject({ port });
  expect(read()).toBe(registered);
  await gctl('down');
  expect(read()).toBe(SETTINGS);

  writeSettings(registered!);
  for (const command of [['doctor'], ['hooks', 'status']]) {
    const { code, stdout } = await gctl(...command);
    expect([command, code]).toEqual([command, 1]);
    expect(stdout).toContain('call a daemon that is gone');
  }
  expect((await gctl('hooks', 'remove', '--orphaned')).stdout).toBe('Removed hooks whose daemon is dead.\n');
  expect(read()).toBe(SETTINGS);
  expect((await gctl('hooks', 'remove', '--orphaned')).stdout).toBe('Nothing to remove.\n');
});

function isRefused(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    () => false,
    () => true,
  );
}

/** The terminal collapses output; the transcript has everything. */
function hookFailures({ configDir, project }: ClientHome, sessionId: string): string[] {
  const folder = project.replaceAll(/[^A-Za-z0-9]/g, '-');
  const lines = readFileSync(join(configDir, 'projects', folder, `${sessionId}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  const attachments = lines.flatMap((line) => JSON.parse(line).attachment ?? []);
  return attachments
    .filter(({ type }) => type.startsWith('hook_') && type !== 'hook_success')
    .map((failure) => JSON.stringify(failure));
}
