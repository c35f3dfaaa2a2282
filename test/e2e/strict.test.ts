import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { apiCaller } from '../kit/call-api.ts';
import { startDaemonProcess } from '../kit/daemon-process.ts';
import { lastToolResult, startDaemonWithClient } from '../kit/daemon-with-client.ts';
import { makeGctlHome } from '../kit/run-gctl.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import type { Scenario } from '../kit/scripted-api.ts';
import { waitFor } from '../kit/wait.ts';

const make = (name: string) => ({
  when: `make ${name}`,
  reply: [callTool('Bash', { command: `touch ${name}.txt` }), say(`Over with ${name}.`)],
});
const scenario: Scenario = ['one', 'two', 'three'].map(make);

test('strict mode: while the daemon is dead the tool is blocked and the model gets the reason; once it is back the tool runs', async () => {
  const world = await startDaemonWithClient(scenario, { args: ['--allowedTools', 'Bash'] });
  const { client, home, daemon, call } = world;
  const id = await client.sessionId();
  const local = join(home.project, '.claude', 'settings.local.json');
  const before = readdirSync(home.project);

  /** Runs another turn until the file is there or not. A running client takes a while to pick up new settings. */
  async function made(name: string): Promise<boolean> {
    await client.prompt(`make ${name}`);
    await client.waitForScreen(new RegExp(`Over with ${name}\\.`));
    await client.waitForStatus('idle');
    return existsSync(join(home.project, `${name}.txt`));
  }
  const calls = async (name: string, ask = call) => {
    const { events } = (await ask('GET', `/api/sessions/${id}/events?limit=1000`)).json;
    return events.filter(
      (event: { name: string; payload: { tool_input?: { command?: string } } }) =>
        event.name === 'PreToolUse' && event.payload.tool_input?.command === `touch ${name}.txt`,
    ).length;
  };
  const configChanges = async (ask = call) => {
    const { events } = (await ask('GET', `/api/sessions/${id}/events?limit=1000`)).json;
    return events.filter(({ name }: { name: string }) => name === 'ConfigChange').length;
  };

  const on = await call('PUT', '/api/projects/strict', { path: home.project, strict: true });
  expect(on).toMatchObject({ status: 200, json: { path: home.project, file: local, state: 'on' } });
  expect(JSON.parse(readFileSync(local, 'utf8')).hooks.PreToolUse[0].hooks[0]).toMatchObject({ onFailure: 'block' });
  // the client reports that it has read them
  await waitFor(async () => (await configChanges()) > 0, { what: 'the client to read the settings', timeout: 60_000 });

  // both entries asked, but it is recorded once
  expect(await made('one')).toBe(true);
  expect(await calls('one')).toBe(1);

  await daemon.kill('SIGKILL');
  expect(await made('two')).toBe(false);
  expect(lastToolResult(world)).toMatch(/onFailure is .*block.*/);
  expect(lastToolResult(world)).toContain('start-ground-control-with-gctl-up');
  await client.waitForScreen(/Not run/);

  const next = await startDaemonProcess({
    home: daemon.home,
    args: ['--hooks', '--port', String(daemon.port)],
    env: { CLAUDE_CONFIG_DIR: home.configDir },
  });
  onTestFinished(next.dispose);
  expect(await made('three')).toBe(true);
  expect(await calls('three', apiCaller(next))).toBe(1);

  const off = await apiCaller(next)('PUT', '/api/projects/strict', { path: home.project, strict: false });
  expect(off).toMatchObject({ status: 200, json: { state: 'off' } });
  expect(readdirSync(home.project).filter((name) => !name.endsWith('.txt'))).toEqual(before);
  const { entries } = (await apiCaller(next)('GET', '/api/audit?action=project.')).json;
  expect(entries).toMatchObject([
    {
      action: 'project.strict',
      detail: `${home.project}: strict mode on`,
      by: expect.stringContaining('Test script'),
    },
    { action: 'project.strict', detail: `${home.project}: strict mode off` },
  ]);
});

test('gctl strict, with a daemon and without one', async () => {
  const { home, gctl, run, configDir } = makeGctlHome();
  const project = join(realpathSync(home), 'app');
  mkdirSync(project);
  const local = join(project, '.claude', 'settings.local.json');
  expect((await gctl('strict')).stdout).toBe('No strict projects.\n');

  const on = await run(['strict', 'on'], { cwd: project });
  expect(on).toMatchObject({ code: 0, stderr: '' });
  expect(on.stdout).toContain("The daemon isn't running, so no tool runs there now. Start it: gctl up");
  expect((await gctl('doctor')).stdout).toMatch(/! Strict projects +no tool runs in .*app until the daemon is running/);

  expect((await gctl('up', '--detach', '--no-open', '--port', '0')).code).toBe(0);
  const { projects } = JSON.parse((await gctl('strict', 'list', '--json')).stdout);
  expect(projects).toMatchObject([{ path: project, state: 'on' }]);
  const settings = readFileSync(local, 'utf8');
  expect(settings).toContain('/api/live/hook/strict');
  expect((await gctl('doctor')).stdout).toMatch(/✓ Strict projects/);

  // neither mistakes a strict entry for one of the user's hooks
  await gctl('hooks', 'install');
  await gctl('hooks', 'remove');
  await gctl('down');
  await gctl('hooks', 'remove', '--orphaned', '--config-dir', configDir);
  expect(readFileSync(local, 'utf8')).toBe(settings);

  expect((await gctl('strict', 'off', join(home, 'nowhere'))).stderr).toContain('is not a folder');
  const off = await gctl('strict', 'off', project);
  expect(off).toMatchObject({ code: 0, stdout: expect.stringContaining("isn't strict") });
  expect(readdirSync(project)).toEqual([]);
});
