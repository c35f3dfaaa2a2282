import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { DataDir } from '../../../data-dir.ts';
import { tempDir } from '../settings/temp-dir-for-test.ts';
import { createStrictControl } from './strict-control.ts';

let project: string;
let configDir: string;
let dataDir: DataDir;
let file: string;

beforeEach(() => {
  project = realpathSync(tempDir('project'));
  configDir = tempDir('config');
  dataDir = new DataDir(join(tempDir('data'), 'data'));
  file = join(project, '.claude', 'settings.local.json');
  // the global gitignore of the person running this
  vi.stubEnv('HOME', configDir);
  vi.stubEnv('XDG_CONFIG_HOME', configDir);
});
afterEach(() => void vi.unstubAllEnvs());

const control = (port = 8765) => createStrictControl({ dataDir, configDir, port: () => port });
const entry = () => JSON.parse(readFileSync(file, 'utf8')).hooks.PreToolUse.at(-1).hooks[0];
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@localhost', ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: configDir },
    stdio: 'ignore',
  });

/** A running client, according to its own file. */
function runClient(version: string): void {
  mkdirSync(join(configDir, 'sessions'), { recursive: true });
  const running = { pid: process.pid, sessionId: 's', version };
  writeFileSync(join(configDir, 'sessions', `${process.pid}.json`), JSON.stringify(running));
}

describe('the entry', () => {
  test('is an http hook that fails closed, if the client supports that', async () => {
    runClient('2.1.325');
    expect(await control().set({ path: project, strict: true })).toMatchObject({ path: project, file, state: 'on' });
    expect(entry()).toEqual({
      type: 'http',
      url: expect.stringContaining('http://127.0.0.1:8765/api/live/hook/strict?'),
      timeout: 86_400,
      headers: {
        'x-groundcontrol-token': dataDir.credentials().hookToken,
        'x-groundcontrol-entrypoint': '$CLAUDE_CODE_ENTRYPOINT',
      },
      allowedEnvVars: ['CLAUDE_CODE_ENTRYPOINT'],
      onFailure: 'block',
      statusMessage: 'Ground Control',
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is a command, which fails closed on its own, for an older or unknown client', async () => {
    runClient('2.1.294');
    await control().set({ path: project, strict: true });
    expect(entry()).toEqual({
      type: 'command',
      command: expect.stringContaining('exit 2'),
      timeout: 86_400,
      statusMessage: 'Ground Control',
    });
  });

  test('becomes a command when an older client appears', async () => {
    const strict = control();
    const fail = (error: unknown) => {
      throw error;
    };
    runClient('2.1.325');
    await strict.set({ path: project, strict: true });
    await strict.onClient('2.1.325', fail);
    expect(entry()).toMatchObject({ type: 'http' });
    runClient('2.1.200');
    await strict.onClient('2.1.200', fail);
    expect(entry()).toMatchObject({ type: 'command' });
    expect(strict.list()).toMatchObject([{ state: 'on' }]);
  });

  test('is a command if http hooks are not allowed to call us', async () => {
    runClient('2.1.325');
    writeFileSync(join(configDir, 'settings.json'), '{"allowedHttpHookUrls": ["https://hooks.example/*"]}');
    await control().set({ path: project, strict: true });
    expect(entry()).toMatchObject({ type: 'command', onFailure: 'block' });
  });

  test('is refused if the client runs no hooks, and the file stays unchanged', async () => {
    writeFileSync(join(configDir, 'settings.json'), '{"disableAllHooks": true}');
    await expect(control().set({ path: project, strict: true })).rejects.toMatchObject({ status: 409 });
    expect(existsSync(file)).toBe(false);
    expect(control().list()).toEqual([]);
  });
});

describe('the file', () => {
  const user = '{\n  "permissions": {"allow": ["Bash(ls)"]},\n  "hooks": {"PreToolUse": [ ]}\n}';

  test('is restored byte for byte, and nothing else is left', async () => {
    mkdirSync(join(project, '.claude'));
    writeFileSync(file, user, { mode: 0o640 });
    const strict = control();
    await strict.set({ path: project, strict: true });
    expect(readFileSync(`${file}.groundcontrol-backup`, 'utf8')).toBe(user);
    expect(await strict.set({ path: project, strict: false })).toMatchObject({ state: 'off' });
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([user, 0o640]);
    expect(readdirSync(join(project, '.claude'))).toEqual(['settings.local.json']);
  });

  test('is removed with its folder if there was none', async () => {
    const strict = control();
    await strict.set({ path: project, strict: true });
    await strict.set({ path: project, strict: false });
    expect(readdirSync(project)).toEqual([]);
  });

  test('that cannot be read is left alone and reported', async () => {
    mkdirSync(join(project, '.claude'));
    writeFileSync(file, '{"a": 1,}');
    await expect(control().set({ path: project, strict: true })).rejects.toMatchObject({ code: 'settings.invalid' });
    expect(readFileSync(file, 'utf8')).toBe('{"a": 1,}');
  });
});

describe('the project', () => {
  test('is the main checkout, from a folder inside and from a worktree', async () => {
    git(project, 'init', '-q');
    git(project, 'commit', '-q', '--allow-empty', '-m', 'Start');
    const inside = join(project, 'src', 'deep');
    mkdirSync(inside, { recursive: true });
    const worktree = join(realpathSync(tempDir('worktree')), 'side');
    git(project, 'worktree', 'add', '-q', worktree);
    for (const path of [inside, worktree]) {
      expect((await control().set({ path, strict: true })).path).toBe(project);
      expect((await control().set({ path, strict: false })).path).toBe(project);
    }
  });

  test('is warned if git would commit our token', async () => {
    git(project, 'init', '-q');
    const shown = await control().set({ path: project, strict: true });
    expect(shown).toMatchObject({ state: 'on', detail: expect.stringContaining("git doesn't ignore") });
    writeFileSync(join(project, '.gitignore'), '.claude/settings.local.json\n');
    expect((await control().set({ path: project, strict: true })).detail).not.toContain('git');
  });

  test.each([
    ['nowhere', 404],
    ['file', 404],
  ])('must be a folder (%s)', async (name, status) => {
    writeFileSync(join(project, 'file'), '');
    await expect(control().set({ path: join(project, name), strict: true })).rejects.toMatchObject({ status });
    await expect(control().set({ path: name, strict: true })).rejects.toMatchObject({ status: 400 });
  });
});

describe('a later start', () => {
  test('on another port rewrites every entry', async () => {
    await control(1111).set({ path: project, strict: true });
    const next = control(2222);
    expect(next.list()).toMatchObject([{ state: 'broken', detail: expect.stringContaining('another daemon') }]);
    await next.onStart((error) => {
      throw error;
    });
    expect(next.list()).toMatchObject([{ path: project, state: 'on', fix: null }]);
    expect(JSON.stringify(entry())).toContain('127.0.0.1:2222');
  });

  test("reports the ones it couldn't write, and writes the others", async () => {
    const other = realpathSync(tempDir('other'));
    for (const path of [project, other]) await control(1111).set({ path, strict: true });
    writeFileSync(file, '{');
    const failed: string[] = [];
    const next = control(2222);
    await next.onStart((_error, path) => void failed.push(path));
    expect(failed).toEqual([project]);
    const states = Object.fromEntries(next.list().map(({ path, state }) => [path, state]));
    expect(states).toEqual({ [project]: 'broken', [other]: 'on' });
  });

  test('keeps track of removed entries and missing folders', async () => {
    await control().set({ path: project, strict: true });
    rmSync(file);
    expect(control().list()).toMatchObject([{ state: 'broken', detail: expect.stringContaining('is missing') }]);
    rmSync(project, { recursive: true });
    await control().onStart(() => undefined);
    expect(control().list()).toMatchObject([{ state: 'broken', detail: `${project} is gone.` }]);
    await control().set({ path: project, strict: false });
    expect(control().list()).toEqual([]);
  });
});

describe('another program that writes the file', () => {
  const watch = (strict: ReturnType<typeof control>) => {
    const news: string[] = [];
    const watching = strict.watch({
      onNews: (what) => news.push(what),
      now: Date.now,
      onError: (error) => expect.fail(String(error)),
    });
    onTestFinished(watching.stop);
    return news;
  };

  test('keeps its change and restores the entry', async () => {
    const strict = control();
    await strict.set({ path: project, strict: true });
    const news = watch(strict);
    writeFileSync(file, '{"model": "opus"}\n');
    await expect.poll(() => news, { timeout: 20_000 }).toEqual(['restored']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ model: 'opus' });
    expect(strict.list()).toMatchObject([{ state: 'on' }]);
    await strict.set({ path: project, strict: false });
    expect(existsSync(file) && readFileSync(file, 'utf8')).toBe('{"model": "opus"}\n');
  });

  test('wins if it keeps removing the entry', async () => {
    const strict = control();
    await strict.set({ path: project, strict: true });
    const news = watch(strict);
    for (let round = 1; round <= 4; round++) {
      writeFileSync(file, '{}');
      await expect.poll(() => news.length, { timeout: 20_000 }).toBe(round);
    }
    expect(news).toEqual(['restored', 'restored', 'restored', 'contested']);
    expect(strict.list()).toMatchObject([{ state: 'broken' }]);
    expect(await strict.set({ path: project, strict: true })).toMatchObject({ state: 'on' });
  });
});
