import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort } from '../../test/kit/free-port.ts';
import { startTestDaemon, type TestDaemon } from '../../test/kit/test-daemon.ts';
import { DataDir } from './data-dir.ts';

/* Files of the data dir that somebody replaced by links to a file outside. */

let folder: string;
let victim: string;
let daemon: TestDaemon | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gc-links-'));
  victim = join(folder, 'victim');
  writeFileSync(victim, 'untouched', { mode: 0o644 });
});
afterEach(async () => {
  await daemon?.dispose();
  daemon = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const isOwn = (path: string) => {
  const found = lstatSync(path);
  return found.isFile() && (found.mode & 0o077) === 0;
};

it.each([
  'journal.db',
  'history.db',
  'credentials.json',
  'hook-token.curlrc',
  'preferences.json',
  'push-keys.json',
  'machine.json',
  'daemon.json',
  'daemon.lock',
  'daemon.log',
  'rules-backup.json',
  'tunnel-process.json',
  'tls',
  'tls/key.pem',
  'tls/ca.pem',
])('refuses to start with a link in place of %s, and says which', async (name) => {
  const dataDir = new DataDir(join(folder, 'data'));
  dataDir.credentials();
  if (name.startsWith('tls/')) mkdirSync(dataDir.file('tls'));
  rmSync(dataDir.file(name), { force: true });
  symlinkSync(victim, dataDir.file(name));
  expect(() => dataDir.lock()).toThrow(`${dataDir.file(name)} is a link`);
  expect(readFileSync(victim, 'utf8')).toBe('untouched');
});

it('starts in a folder that is a link itself', () => {
  mkdirSync(join(folder, 'real'), { mode: 0o700 });
  symlinkSync(join(folder, 'real'), join(folder, 'data'));
  const dataDir = new DataDir(join(folder, 'data'));
  dataDir.lock()?.release();
  expect(dataDir.credentials().hookToken).toBeTruthy();
});

it('follows no link that appears while it runs, neither to write nor to read', async () => {
  daemon = await startTestDaemon();
  const { dataDir } = daemon;
  // where the next version of a file is prepared
  for (const name of ['preferences.json', 'seen-processes.json', 'push-keys.json', 'tunnel-process.json'])
    symlinkSync(victim, dataDir.file(`${name}.new`));
  expect((await daemon.call('PUT', '/api/hold', { body: { holdSeconds: 77 } })).status).toBe(200);
  expect(isOwn(dataDir.file('preferences.json'))).toBe(true);

  // a file that an agent wrote, in place of ours
  const forged = join(folder, 'forged.json');
  writeFileSync(forged, JSON.stringify({ publicUrls: ['https://evil.example'], holdSeconds: 1 }));
  renameSync(dataDir.file('preferences.json'), join(folder, 'kept.json'));
  symlinkSync(forged, dataDir.file('preferences.json'));
  const answer = await daemon.call('GET', '/api/hold');
  expect(answer.json.error.message).toContain(`${dataDir.file('preferences.json')} can't be read`);
  rmSync(dataDir.file('preferences.json'));
  renameSync(join(folder, 'kept.json'), dataDir.file('preferences.json'));

  // keys that somebody else knows
  const known = join(folder, 'known-keys.json');
  writeFileSync(known, JSON.stringify({ publicKey: 'known', privateKey: 'known' }));
  symlinkSync(known, dataDir.file('push-keys.json'));
  const { json: push } = await daemon.call('GET', '/api/notify/push-key');
  expect(push.publicKey).not.toBe('known');
  expect(isOwn(dataDir.file('push-keys.json'))).toBe(true);
  expect(readFileSync(known, 'utf8')).toContain('known');

  // where the private key of the HTTPS port goes
  mkdirSync(dataDir.file('tls'), { mode: 0o700 });
  for (const name of ['key.pem', 'cert.pem', 'ca.pem', 'key.pem.new'])
    symlinkSync(victim, join(dataDir.file('tls'), name));
  const opened = await daemon.call('PUT', '/api/remote/listener', {
    body: { host: '127.0.0.1', port: await freePort(), names: ['localhost'] },
  });
  expect(opened.status).toBe(200);
  for (const name of ['key.pem', 'cert.pem', 'ca.pem']) expect(isOwn(join(dataDir.file('tls'), name))).toBe(true);
  expect(readFileSync(victim, 'utf8')).toBe('untouched');
});
