import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DataDir } from '../../../data-dir.ts';
import { findLeftover } from '../settings/leftover-hooks.ts';
import { hookStatus, registerHooks } from '../settings/registrar.ts';
import { tempDir } from '../settings/temp-dir-for-test.ts';
import { removeOrphanedHooks } from './orphaned-hooks.ts';
import { standIn, waitForStandIn } from './stand-in.ts';

test('removes hooks only if their daemon is dead', async () => {
  const configDir = tempDir('orphan');
  const path = join(configDir, 'settings.json');
  writeFileSync(path, '{}');
  expect(await removeOrphanedHooks({ configDir })).toEqual({ changed: false });

  const daemon = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  await once(daemon, 'listening');
  const { port } = daemon.address() as AddressInfo;
  const dataDir = new DataDir(tempDir('data'));
  const tokenFile = dataDir.tokenFile;
  dataDir.announce({ pid: process.pid, port, url: '', version: '1', startedAt: 0 });
  registerHooks({ configDir, port, token: 'secret', tokenFile, env: {} });
  expect(await removeOrphanedHooks({ configDir })).toEqual({ changed: false });
  expect(hookStatus({ configDir, port, tokenFile, env: {} }).state).toBe('installed');

  daemon.close();
  await once(daemon, 'close');
  expect(await removeOrphanedHooks({ configDir })).toEqual({ changed: true });
  expect(readFileSync(path, 'utf8')).toBe('{}');
});

test('keeps the hooks of a daemon that registers during the check', async () => {
  const configDir = tempDir('orphan');
  registerHooks({ configDir, port: 9, token: 'secret', tokenFile: '/data/hook-token.curlrc', env: {} });
  const removal = removeOrphanedHooks({ configDir });
  registerHooks({ configDir, port: 10, token: 'secret', tokenFile: '/data/hook-token.curlrc', env: {} });
  expect(await removal).toEqual({ changed: false });
  expect(hookStatus({ configDir, port: 10, tokenFile: '/data/hook-token.curlrc', env: {} }).state).toBe('installed');
});

test("removes hooks even if another program has their daemon's port", async () => {
  const configDir = tempDir('orphan');
  const stranger = createHttpServer((_, response) => response.end('{"ok":true}')).listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  const { port } = stranger.address() as AddressInfo;
  registerHooks({ configDir, port, token: 'secret', tokenFile: '/data/hook-token.curlrc', env: {} });
  expect(await findLeftover({ configDir })).toBe('orphaned');
  expect(await removeOrphanedHooks({ configDir })).toEqual({ changed: true });
  stranger.close();
});

test("removes hooks even if an unresponsive program has their daemon's port", async () => {
  const configDir = tempDir('orphan');
  const stranger = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  const { port } = stranger.address() as AddressInfo;
  const dataDir = new DataDir(tempDir('data'));
  const { pid } = spawnSync('true');
  dataDir.announce({ pid, port, url: '', version: '1', startedAt: 0 });
  registerHooks({ configDir, port, token: 'secret', tokenFile: dataDir.tokenFile, env: {} });
  expect(await findLeftover({ configDir })).toBe('orphaned');
  expect(await removeOrphanedHooks({ configDir })).toEqual({ changed: true });
  stranger.close();
});

test('recognizes a stand-in as ours', async () => {
  const configDir = tempDir('orphan');
  const placed = await standIn({ port: 0 }, { stayMs: 3_600_000 });
  const { port } = placed!;
  registerHooks({ configDir, port, token: 'secret', tokenFile: '/data/hook-token.curlrc', env: {} });
  expect(await findLeftover({ configDir })).toBe('others');
  const left = placed!.leaveSoon();
  await waitForStandIn(port);
  await left;
});
