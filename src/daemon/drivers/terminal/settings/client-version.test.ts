import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { findClientVersion } from './client-version.ts';
import { tempDir } from './temp-dir-for-test.ts';

const GONE = 2 ** 22 + 1;
let configDir: string;
let path: string;

beforeEach(() => {
  configDir = tempDir('config');
  path = tempDir('path');
});

function running(pid: number, version: string | undefined, name = `${pid}.json`) {
  mkdirSync(join(configDir, 'sessions'), { recursive: true });
  writeFileSync(join(configDir, 'sessions', name), JSON.stringify({ pid, sessionId: 's', version }));
}

const install = (script: string) => writeFileSync(join(path, 'claude'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

test('uses the oldest running client, whatever is installed', async () => {
  install('echo "2.1.325 (Claude Code)"');
  running(process.pid, '2.1.300', '1.json');
  running(process.pid, '2.1.99', '2.json');
  running(process.pid, undefined, '3.json');
  expect(await findClientVersion({ configDir, path })).toBe('2.1.99');
});

test('ignores a client that has exited', async () => {
  install('echo "2.1.325 (Claude Code)"');
  running(GONE, '2.0.1');
  expect(await findClientVersion({ configDir, path })).toBe('2.1.325');
});

test('handles a missing client, one that fails, and one with unusable output', async () => {
  expect(await findClientVersion({ configDir, path })).toBeUndefined();
  install('echo 2.1.1; exit 3');
  expect(await findClientVersion({ configDir, path })).toBeUndefined();
  install('echo hello');
  expect(await findClientVersion({ configDir, path })).toBeUndefined();
});
