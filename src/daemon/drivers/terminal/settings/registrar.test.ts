import nodeFs, {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { findHooks } from './edit-settings.ts';
import {
  HooksForbidden,
  hookStatus,
  previewHooks,
  previewRemoval,
  registerHooks,
  removeRegisteredHooks,
} from './registrar.ts';
import type { SettingsFs } from './settings-file.ts';
import { tempDir } from './temp-dir-for-test.ts';

const TOKEN = 'a-secret-that-nobody-may-see';
const USER = '{\n  "model": "opus",\n  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}\n}\n';

let configDir: string;
let path: string;

beforeEach(() => {
  configDir = tempDir('config');
  path = join(configDir, 'settings.json');
});

const target = (changes: object = {}) => ({
  configDir,
  port: 8765,
  token: TOKEN,
  tokenFile: '/data/hook-token.curlrc',
  env: {},
  ...changes,
});
const read = () => readFileSync(path, 'utf8');
const backup = () => `${path}.groundcontrol-backup`;
const mode = (file: string) => statSync(file).mode & 0o777;

describe('the file', () => {
  test('creates a private file if there is none, and removes it again', () => {
    expect(registerHooks(target())).toMatchObject({ path, changed: true });
    expect(mode(path)).toBe(0o600);
    expect(removeRegisteredHooks({ configDir })).toEqual({ path, changed: true });
    expect(readdirSync(configDir)).toEqual([]);
  });

  test('restores it byte for byte, and keeps its mode', () => {
    writeFileSync(path, USER);
    chmodSync(path, 0o644);
    registerHooks(target());
    expect(mode(path)).toBe(0o644);
    expect(read()).toContain(TOKEN);
    removeRegisteredHooks({ configDir });
    expect(read()).toBe(USER);
    expect(mode(path)).toBe(0o644);
  });

  test('backs up the original on the first write, and never overwrites the backup', () => {
    writeFileSync(path, USER, { mode: 0o640 });
    registerHooks(target());
    expect(readFileSync(backup(), 'utf8')).toBe(USER);
    expect(mode(backup())).toBe(mode(path));
    removeRegisteredHooks({ configDir });
    writeFileSync(path, '{"changed": "since"}');
    registerHooks(target());
    expect(readFileSync(backup(), 'utf8')).toBe(USER);
  });

  test('makes no backup of a file that has our hooks', () => {
    registerHooks(target());
    registerHooks(target({ port: 9000 }));
    removeRegisteredHooks({ configDir });
    expect(readdirSync(configDir)).toEqual([]);
  });

  test('writes nothing when nothing changes', () => {
    writeFileSync(path, USER);
    expect(removeRegisteredHooks({ configDir }).changed).toBe(false);
    registerHooks(target());
    const { ino } = statSync(path);
    expect(registerHooks(target()).changed).toBe(false);
    expect(statSync(path).ino).toBe(ino);
  });

  test('keeps a link to settings elsewhere', () => {
    const dotfiles = tempDir('dotfiles');
    const file = join(dotfiles, 'mine.json');
    writeFileSync(file, USER);
    symlinkSync(join(dotfiles, 'hop'), path);
    symlinkSync('mine.json', join(dotfiles, 'hop'));
    const before = readdirSync(dotfiles);
    registerHooks(target());
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readlinkSync(join(dotfiles, 'hop'))).toBe('mine.json');
    expect(findHooks(readFileSync(file, 'utf8')).length).toBeGreaterThan(0);
    removeRegisteredHooks({ configDir });
    expect(readdirSync(dotfiles)).toEqual(before);
    expect(readFileSync(file, 'utf8')).toBe(USER);
  });

  test.each(['gone.json', join('no', 'such', 'folder', 'gone.json')])('reports a dangling link to %s', (name) => {
    const dotfiles = tempDir('dotfiles');
    symlinkSync(join(dotfiles, name), path);
    const message = `${path} is a link to ${join(dotfiles, name)}, which does not exist. Create that file or remove the link.`;
    expect(() => registerHooks(target())).toThrow(message);
    expect(() => previewHooks(target())).toThrow(message);
    expect(hookStatus(target())).toMatchObject({ state: 'invalid', detail: message });
    expect(removeRegisteredHooks({ configDir }).changed).toBe(false);
    expect(readdirSync(dotfiles)).toEqual([]);
  });

  test('refuses circular links', () => {
    symlinkSync('settings.json', path);
    expect(() => registerHooks(target())).toThrow('loop');
  });

  test('creates the config folder, but not its parents', () => {
    const inside = { configDir: join(configDir, 'claude') };
    registerHooks(target(inside));
    expect(mode(inside.configDir)).toBe(0o700);
    const deep = { configDir: join(configDir, 'no', 'such') };
    expect(() => registerHooks(target(deep))).toThrow('CLAUDE_CONFIG_DIR');
    expect(removeRegisteredHooks(deep).changed).toBe(false);
    expect(existsSync(dirname(deep.configDir))).toBe(false);
  });

  test('refuses and keeps broken JSON and invalid UTF-8', () => {
    for (const bytes of [Buffer.from('{"a": 1,}'), Buffer.from([0x7b, 0x7d, 0xff])]) {
      writeFileSync(path, bytes);
      expect(() => registerHooks(target())).toThrow(`${path} is not valid JSON`);
      expect(() => removeRegisteredHooks({ configDir })).toThrow(`${path} is not valid JSON`);
      expect(readFileSync(path)).toEqual(bytes);
      expect(readdirSync(configDir)).toEqual(['settings.json']);
    }
  });

  test('clears leftovers of a killed run, but not files a running one needs', () => {
    const temp = (pid: number) => `.groundcontrol-${pid}-0a1b2c.tmp`;
    const [dead, fresh, old] = [temp(2 ** 22 + 1), temp(process.ppid), temp(process.ppid).replace('0a', '0b')];
    for (const name of [dead, fresh, old, 'other.tmp']) writeFileSync(join(configDir, name), '');
    utimesSync(join(configDir, old), 1000, 1000);
    removeRegisteredHooks({ configDir });
    expect(readdirSync(configDir).sort()).toEqual([fresh, 'other.tmp'].sort());
  });
});

describe('another writer', () => {
  function meddling(times: number): SettingsFs {
    let left = times;
    const fsyncSync: typeof nodeFs.fsyncSync = (fd) => {
      nodeFs.fsyncSync(fd);
      if (left-- > 0) writeFileSync(path, `{"theirs": ${left}}`);
    };
    return { ...nodeFs, fsyncSync };
  }

  test('keeps its concurrent changes', () => {
    writeFileSync(path, '{}');
    writeFileSync(backup(), '');
    registerHooks(target(), meddling(2));
    removeRegisteredHooks({ configDir });
    expect(read()).toBe('{"theirs": 0}');
  });

  test('gives up on a file that never stops growing', () => {
    writeFileSync(path, '{}');
    writeFileSync(backup(), '');
    expect(() => registerHooks(target(), meddling(100))).toThrow('keeps changing');
    expect(read()).toMatch('theirs');
    expect(readdirSync(configDir).sort()).toEqual(['settings.json', 'settings.json.groundcontrol-backup']);
  });
});

describe('ownership', () => {
  test('keeps the hooks of the daemon that took over when the old one stops', () => {
    registerHooks(target({ port: 9000 }));
    expect(removeRegisteredHooks({ configDir, port: 8765 }).changed).toBe(false);
    expect(removeRegisteredHooks({ configDir, port: 9000 }).changed).toBe(true);
  });
});

describe("the user's own limits", () => {
  test('addresses: refused unless ours is allowed', () => {
    writeFileSync(path, '{"allowedHttpHookUrls": ["https://hooks.example.com/*"]}');
    expect(() => registerHooks(target())).toThrow(HooksForbidden);
    expect(() => registerHooks(target())).toThrow('Add "http://127.0.0.1:8765/api/live/hook"');
    writeFileSync(path, '{"allowedHttpHookUrls": ["https://hooks.example.com/*", "http://127.0.0.1:*"]}');
    expect(registerHooks(target()).changed).toBe(true);
  });

  test.each([
    [{ HTTP_PROXY: 'http://proxy' }, '{}'],
    [{}, '{"env": {"HTTP_PROXY": "http://proxy"}}'],
  ])('a proxy, in %j or in %s: no http hook is sent to it', (env, settings) => {
    writeFileSync(path, settings);
    registerHooks(target({ env }));
    expect(new Set(findHooks(read()).map(({ form }) => form))).toEqual(new Set(['command']));
    expect(hookStatus(target({ env })).state).toBe('installed');
  });
});

describe('preview', () => {
  test('shows what would be written, but no token, and writes nothing', () => {
    writeFileSync(path, USER);
    const { before, after, diff } = previewHooks(target());
    expect(read()).toBe(USER);
    expect(before).toBe(USER);
    expect(diff).not.toContain(TOKEN);
    expect(diff).toContain(`+++ ${path}`);
    expect(diff).toContain('"x-groundcontrol-token":"********"');
    registerHooks(target());
    expect(read()).toBe(after);
    expect(previewHooks(target()).diff).toBe('');
    const other = previewHooks(target({ token: 'another-secret-of-ours' })).diff;
    expect(other).not.toContain(TOKEN);
    expect(other).not.toContain('another-secret-of-ours');

    const removal = previewRemoval(configDir).diff;
    expect(read()).toBe(after);
    expect(removal).not.toContain(TOKEN);
    expect(removal).toMatch(/^-.*x-groundcontrol-token/m);
    removeRegisteredHooks({ configDir });
    expect(read()).toBe(USER);
    expect(previewRemoval(configDir).diff).toBe('');
  });
});

describe('status', () => {
  const state = (changes: object = {}) => hookStatus(target(changes));

  test('missing, installed, stale and partial', () => {
    expect(state()).toMatchObject({ state: 'missing', path, events: [], fix: 'Install them: gctl hooks install' });
    registerHooks(target());
    expect(state()).toEqual({
      state: 'installed',
      path,
      detail: `All 29 events are registered in ${path}.`,
      fix: null,
      events: expect.arrayContaining(['SessionStart', 'Stop']),
      missingEvents: [],
      ports: [8765],
      blockedBy: null,
    });
    expect(state({ port: 9000 })).toMatchObject({ state: 'stale', detail: expect.stringContaining('port (8765)') });
    expect(state({ token: 'newer' })).toMatchObject({ state: 'stale', detail: expect.stringContaining('older token') });
    expect(state({ token: undefined })).toMatchObject({ state: 'installed' });
    expect(state({ tokenFile: '/elsewhere/hook-token.curlrc' })).toMatchObject({ state: 'stale' });
    registerHooks(target({ clientVersion: '2.1.200' }));
    expect(state()).toMatchObject({
      state: 'partial',
      missingEvents: ['PreModelSwitch', 'PostModelSwitch', 'DirectoryAdded'],
    });
    expect(state({ clientVersion: '2.1.200' })).toMatchObject({ state: 'installed' });
  });

  test('rewrites commands of an older version that contain the token', () => {
    registerHooks(target());
    const older = read().replaceAll(/-K '[^']+'/g, `-H 'x-groundcontrol-token: ${TOKEN}'`);
    writeFileSync(path, older);
    expect(state()).toMatchObject({ state: 'stale', detail: expect.stringContaining('older') });
    expect(registerHooks(target()).changed).toBe(true);
    expect(state()).toMatchObject({ state: 'installed' });
    expect(read()).not.toContain(`token: ${TOKEN}`);
  });

  test('installed, but the client will not call', () => {
    registerHooks(target());
    const settings = JSON.parse(read());
    writeFileSync(path, JSON.stringify({ ...settings, disableAllHooks: true }));
    expect(state()).toMatchObject({ state: 'installed', blockedBy: 'disableAllHooks', fix: expect.any(String) });
    writeFileSync(path, JSON.stringify({ ...settings, allowedHttpHookUrls: [] }));
    expect(state()).toMatchObject({ state: 'installed', blockedBy: 'allowedHttpHookUrls', fix: expect.any(String) });
  });

  test.each(['{', '[]', '{"hooks": 3}', '{"hooks": {"Stop": {}}}'])('invalid: %s', (settings) => {
    writeFileSync(path, settings);
    expect(state()).toMatchObject({ state: 'invalid', detail: expect.stringContaining(path) });
    expect(read()).toBe(settings);
  });

  test('reports a missing folder as missing, not as an error', () => {
    expect(state({ configDir: join(configDir, 'nowhere') })).toMatchObject({ state: 'missing' });
  });
});
