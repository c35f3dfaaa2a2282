import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { findHooks } from './edit-settings.ts';
import { HooksWatch } from './hooks-watch.ts';
import { type HookTarget, hookStatus, registerHooks } from './registrar.ts';
import { tempDir } from './temp-dir-for-test.ts';

const USER = '{\n  "model": "opus"\n}\n';

let path: string;
let target: HookTarget;
let wanted: HookTarget | undefined;
let news: string[];
let now: number;
let watch: HooksWatch;

beforeEach(async () => {
  const configDir = tempDir('watch');
  path = join(configDir, 'settings.json');
  writeFileSync(path, USER);
  target = { configDir, port: 8765, token: 'ours', tokenFile: '/data/hook-token.curlrc', env: {} };
  registerHooks(target);
  wanted = target;
  news = [];
  now = 1_000_000;
  watch = new HooksWatch({
    configDir,
    wanted: () => wanted,
    onNews: (what, detail) => news.push(`${what}: ${detail}`),
    now: () => now,
    onError: (error) => expect.fail(String(error)),
  });
  await watch.check();
  expect(news).toEqual([]);
});

const read = () => readFileSync(path, 'utf8');
const isThere = () => hookStatus(target).state === 'installed';

async function removeAndLook(text = USER): Promise<void> {
  writeFileSync(path, text);
  await watch.check();
}

test('restores the hooks after another program rewrote the file without them', async () => {
  await removeAndLook();
  expect(isThere()).toBe(true);
  expect(news).toEqual([expect.stringMatching(/^restored: .*they were restored\.$/)]);
  await watch.check();
  expect(news).toHaveLength(1);
});

test('restores missing hooks and leaves the rest of the file unchanged', async () => {
  const { hooks, ...rest } = JSON.parse(read());
  const { Stop: _, ...fewer } = hooks;
  await removeAndLook(JSON.stringify({ ...rest, theme: 'dark', hooks: fewer }));
  expect(isThere()).toBe(true);
  expect(JSON.parse(read())).toMatchObject({ model: 'opus', theme: 'dark' });
});

test('leaves a file alone that still has the hooks', async () => {
  const edited = JSON.stringify({ ...JSON.parse(read()), theme: 'dark' });
  await removeAndLook(edited);
  expect([read(), news]).toEqual([edited, []]);
});

test('gives up after the fourth removal in a minute, until a person resolves it', async () => {
  for (let round = 0; round < 6; round++) await removeAndLook(`${USER}${' '.repeat(round)}`);
  expect(news.map((line) => line.split(':')[0])).toEqual(['restored', 'restored', 'restored', 'contested']);
  expect(watch.isContested).toBe(true);
  expect(isThere()).toBe(false);
  watch.reset();
  await removeAndLook();
  expect([isThere(), watch.isContested]).toEqual([true, false]);
});

test('keeps restoring hooks that are removed only occasionally', async () => {
  for (let round = 0; round < 10; round++) {
    now += 30_000;
    await removeAndLook(`${USER}${' '.repeat(round)}`);
    expect(isThere()).toBe(true);
  }
});

test('waits for a half-written file, and reports one that stays broken', async () => {
  await removeAndLook('{"model": "op');
  await watch.check();
  expect([read(), news]).toEqual(['{"model": "op', [expect.stringMatching(/^lost: .*not valid JSON/)]]);
  await removeAndLook();
  expect(isThere()).toBe(true);
});

test('reports a dangling link, and restores the hooks once its target exists', async () => {
  const elsewhere = join(target.configDir, 'dotfiles.json');
  rmSync(path);
  symlinkSync(elsewhere, path);
  await watch.check();
  await watch.check();
  expect(news).toEqual([expect.stringMatching(/^lost: .*settings\.json/)]);
  expect(hookStatus(target)).toMatchObject({ state: 'invalid' });
  writeFileSync(elsewhere, USER);
  await watch.check();
  expect(isThere()).toBe(true);
});

test('keeps the hooks of another running daemon, and replaces those of a dead one', async () => {
  // reads, and so notices that a caller left: an unread connection would keep it from closing
  const server = createServer((socket) => void socket.on('error', () => undefined).resume());
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  registerHooks({ ...target, port });
  await watch.check();
  expect(findHooks(read()).every((hook) => hook.port === port)).toBe(true);
  expect(news).toEqual([expect.stringMatching(/^lost: .*another port/)]);

  await new Promise((resolve) => server.close(resolve));
  registerHooks({ ...target, port, token: 'changed' });
  await watch.check();
  expect(isThere()).toBe(true);
});

test('reports when hooks are disabled in the client, and when they are enabled again', async () => {
  const settings = JSON.parse(read());
  await removeAndLook(JSON.stringify({ ...settings, disableAllHooks: true }));
  await removeAndLook(JSON.stringify(settings));
  expect(news.map((line) => line.split(':')[0])).toEqual(['lost', 'recovered']);
});

test('writes nothing after the user declined', async () => {
  wanted = undefined;
  await removeAndLook();
  expect([read(), news]).toEqual([USER, []]);
});
