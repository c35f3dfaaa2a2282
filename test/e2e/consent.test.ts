import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Preferences } from '../../src/contract/daemon.ts';
import { cleanEnv } from '../kit/daemon-process.ts';
import { gctlBinary, makeGctlHome } from '../kit/run-gctl.ts';
import { openTerminal } from '../kit/terminal.ts';

const UP = ['up', '--no-open', '--port', '0'];
const SETTINGS = '{ "model" : "opus",\n\t"hooks": {"Stop":[ ]}}\n';
const QUESTION = /Install hooks\? \[Y\/n\]/;

/** A person's home with their own settings, and a terminal to start in. */
function makeWorld() {
  const world = makeGctlHome();
  world.writeSettings(SETTINGS);
  const preferences = (): Preferences => {
    const path = join(world.dataDir, 'preferences.json');
    return Preferences.parse(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {});
  };
  const openUp = async (...args: string[]) => {
    const terminal = await openTerminal({
      command: [gctlBinary, ...UP, ...args],
      cwd: world.home,
      env: cleanEnv(world.home),
    });
    onTestFinished(terminal.dispose);
    return terminal;
  };
  return { ...world, openUp, consent: () => preferences().hooks };
}

describe('in a terminal the first start asks', () => {
  test('showing the diff; Enter is yes, and it is asked once', async () => {
    const { openUp, consent, settings, home } = makeWorld();
    const first = await openUp();
    const screen = await first.waitForScreen(QUESTION);
    expect(screen).toMatch(/\+ .*"DirectoryAdded": \[\{"hooks":\[\{"type":"http"/);
    expect(screen).toContain('It removes them when it stops and adds them again when it starts.');
    expect([settings(), consent()]).toEqual([SETTINGS, undefined]);

    await first.press('Enter');
    await first.waitForScreen(/Hooks: All \d+ events are registered[\s\S]*Open: http[\s\S]*Press Ctrl-C to stop/);
    expect(settings()).toContain('/api/live/hook');
    expect(consent()).toBe('yes');
    expect(readFileSync(join(home, '.claude', 'settings.json.groundcontrol-backup'), 'utf8')).toBe(SETTINGS);
    await first.press('C-c');
    await first.ended();
    expect(settings()).toBe(SETTINGS);

    const second = await openUp();
    expect(await second.waitForScreen(/Press Ctrl-C to stop/)).not.toMatch(QUESTION);
    expect(settings()).toContain('/api/live/hook');
    await second.press('C-c');
    await second.ended();
    expect(settings()).toBe(SETTINGS);
  });

  test('and n means no, for good', async () => {
    const { openUp, consent, settings } = makeWorld();
    const first = await openUp();
    await first.waitForScreen(QUESTION);
    await first.type('perhaps');
    await first.press('Enter');
    await first.waitForScreen((screen) => screen.split(QUESTION).length === 3);
    await first.type('n');
    await first.press('Enter');
    await first.waitForScreen(/Hooks: Not installed, by your choice[\s\S]*Press Ctrl-C to stop/);
    expect(consent()).toBe('no');
    await first.press('C-c');
    await first.ended();

    const second = await openUp();
    expect(await second.waitForScreen(/Press Ctrl-C to stop/)).not.toMatch(QUESTION);
    expect(settings()).toBe(SETTINGS);
  });

  test('and the end of input is no answer: it starts, and asks again next time', async () => {
    const { openUp, consent, settings } = makeWorld();
    const terminal = await openUp();
    await terminal.waitForScreen(QUESTION);
    await terminal.press('C-d');
    await terminal.waitForScreen(/will ask again at the next start[\s\S]*Press Ctrl-C to stop/);
    expect([settings(), consent()]).toEqual([SETTINGS, undefined]);
    await terminal.press('C-c');
    await terminal.ended();
  });

  test.each([
    ['Ctrl-C', undefined],
    ['SIGTERM', 'SIGTERM'],
  ] as const)('and %s aborts the start', async (_name, signal) => {
    const { openUp, consent, settings, daemon } = makeWorld();
    const terminal = await openUp();
    await terminal.waitForScreen(QUESTION);
    if (signal) process.kill(terminal.pid, signal);
    else await terminal.press('C-c');
    await terminal.ended();
    expect([settings(), consent(), daemon()]).toEqual([SETTINGS, undefined, undefined]);
  });

  test('in the background too, from the terminal that started it', async () => {
    const { openUp, consent, settings, gctl } = makeWorld();
    const terminal = await openUp('--detach');
    await terminal.waitForScreen(QUESTION);
    await terminal.type('y');
    await terminal.press('Enter');
    await terminal.ended();
    expect(consent()).toBe('yes');
    expect(settings()).toContain('/api/live/hook');
    await gctl('down');
    expect(settings()).toBe(SETTINGS);
  });
});

describe('without a terminal', () => {
  test('writes nothing until the operator answers', async () => {
    const { gctl, settings, consent } = makeWorld();
    const { stdout } = await gctl(...UP, '--detach');
    expect(stdout).toContain(
      'Hooks: not installed, and no terminal to ask in. Install them from the page, or with gctl hooks install',
    );
    expect([settings(), consent()]).toEqual([SETTINGS, undefined]);
    expect((await gctl('up')).stdout).toContain('no terminal to ask in');
    expect((await gctl('hooks', 'install')).stdout).toMatch(/^--- [\s\S]*\nHooks: All \d+ events are registered in /);
    expect(consent()).toBe('yes');
  });

  test('--hooks and --no-hooks answer, and are remembered', async () => {
    const { gctl, settings, consent } = makeWorld();
    expect((await gctl(...UP, '--detach', '--hooks')).stdout).toMatch(/Hooks: All \d+ events are registered in /);
    expect(settings()).toContain('/api/live/hook');
    await gctl('down');
    expect([settings(), consent()]).toEqual([SETTINGS, 'yes']);

    await gctl(...UP, '--detach');
    expect(settings()).toContain('/api/live/hook');
    expect((await gctl('up', '--no-hooks')).stdout).toContain('Hooks: Not installed, by your choice');
    expect([settings(), consent()]).toEqual([SETTINGS, 'no']);
    await gctl('down');
    await gctl(...UP, '--detach');
    expect(settings()).toBe(SETTINGS);
  });
});

describe('hooks', () => {
  test('are installed and removed byte for byte while the daemon runs', async () => {
    const { gctl, settings, consent, daemon } = makeWorld();
    await gctl(...UP, '--detach');
    expect(await gctl('hooks', 'status')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Hooks: Not installed in'),
    });
    await gctl('hooks', 'install');
    const installed = settings();
    expect(installed).toContain(`${daemon()!.url}/api/live/hook`);
    expect(await gctl('hooks', 'install')).toMatchObject({ code: 0 });
    expect(settings()).toBe(installed);
    expect(JSON.parse((await gctl('hooks', 'status', '--json')).stdout)).toMatchObject({
      consent: 'yes',
      state: 'installed',
    });
    expect(await gctl('hooks', 'status')).toMatchObject({ code: 0 });
    expect((await gctl('hooks', 'remove')).stdout).toContain('Not installed, by your choice');
    expect([settings(), consent()]).toEqual([SETTINGS, 'no']);
    expect(await gctl('hooks', 'status')).toMatchObject({ code: 1 });
    await gctl('down');
    expect(await gctl('hooks', 'status')).toMatchObject({ code: 1 });
  });

  test('in settings that are a dangling link are refused with the reason', async () => {
    const { gctl, settingsFile, home } = makeWorld();
    rmSync(settingsFile);
    symlinkSync(join(home, 'dotfiles', 'settings.json'), settingsFile);
    const reason = 'which does not exist. Create that file or remove the link.';
    await gctl(...UP, '--detach');
    expect(await gctl('hooks', 'install')).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) });
    for (const command of [['hooks', 'status'], ['doctor']])
      expect(await gctl(...command)).toMatchObject({ code: 1, stdout: expect.stringContaining(reason) });
    expect(existsSync(join(home, 'dotfiles'))).toBe(false);
  });

  test('without a daemon are commands, silent until one runs, and are removed byte for byte', async () => {
    const { gctl, settings, consent } = makeWorld();
    const { code, stdout } = await gctl('hooks', 'install');
    expect(code).toBe(0);
    expect(stdout).toContain("They do nothing yet, because the daemon isn't running. Start it: gctl up");
    expect(settings()).not.toContain('"type":"http"');
    expect(settings()).toContain('# groundcontrol-hook');
    for (const command of [['hooks', 'status'], ['doctor']]) {
      const run = await gctl(...command);
      expect([command, run.code]).toEqual([command, 0]);
      expect(run.stdout).toContain('and inactive until the daemon runs.');
    }
    await gctl(...UP, '--detach');
    expect(settings()).toContain('"type":"http"');
    await gctl('down');
    expect([settings(), consent()]).toEqual([SETTINGS, 'yes']);

    await gctl('hooks', 'install');
    await gctl('hooks', 'remove');
    expect([settings(), consent()]).toEqual([SETTINGS, 'no']);
  });
});
