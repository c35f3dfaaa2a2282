import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../kit/test-daemon.ts';

const rule = { scope: 'global', pattern: { toolName: 'Bash', parameters: { command: 'rm *' } }, decision: 'deny' };
const removal = { session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'rm x' } };

let daemon: TestDaemon;
let journal: string;
const isDenied = async (running: TestDaemon) =>
  (await running.hook(removal)).json.hookSpecificOutput?.permissionDecision === 'deny';
const startAgain = (options = {}) => startTestDaemon({ folder: daemon.folder, ...options });

beforeEach(async () => {
  daemon = await startTestDaemon();
  await daemon.call('POST', '/api/rules', { body: rule });
  await daemon.call('PUT', '/api/policies', { body: { project: '/w', policy: 'ask' } });
  expect(await isDenied(daemon)).toBe(true);
  await daemon.stop();
  journal = join(daemon.folder, 'data', 'journal.db');
});
afterEach(() => rmSync(daemon.folder, { recursive: true, force: true }));

const damage: [string, () => void, RegExp][] = [
  ['is missing', () => rmSync(journal), /journal\.db is missing/],
  ['is empty', () => truncateSync(journal, 0), /journal\.db is empty/],
  ['is not a database', () => overwrite(journal, Buffer.alloc(8192, 'x')), /journal\.db is damaged/],
  ['was cut off', () => cutOff(journal), /journal\.db is damaged/],
  ['has damaged pages', () => overwrite(journal, Buffer.alloc(200_000, 7), 4096), /journal\.db is damaged/],
];

describe.each(damage)('a journal that %s', (_, harm, words) => {
  it('is reported with its path and how to recover, and the rules are restored', async () => {
    harm();
    const failure = await startAgain().then(
      async (started) => {
        await started.stop();
        return new Error('it started');
      },
      (error: Error) => error,
    );
    expect(failure.message).toMatch(words);
    expect(failure.message).toContain(journal);
    expect(failure.message).toContain('gctl up --new-journal');
    // the lock and the port are free again, so a second start fails with the same message
    await expect(startAgain()).rejects.toThrow(words);
    const restored = await startAgain({ newJournal: true });
    expect(await isDenied(restored)).toBe(true);
    expect((await restored.call('GET', '/api/policies')).json.policies).toEqual([{ project: '/w', policy: 'ask' }]);
    await restored.stop();
    const next = await startAgain();
    expect(await isDenied(next)).toBe(true);
    await next.stop();
  });
});

it('keeps the broken journal under another name', async () => {
  overwrite(journal, Buffer.alloc(8192, 'x'));
  await (await startAgain({ newJournal: true })).stop();
  const kept = readdirSync(join(daemon.folder, 'data')).find((name) => name.startsWith('journal.db.broken-'));
  expect(
    readFileSync(join(daemon.folder, 'data', kept!))
      .subarray(0, 4)
      .toString(),
  ).toBe('xxxx');
});

it('starts in a folder without a journal, and in one from an older version', async () => {
  const fresh = await startTestDaemon();
  await fresh.stop();
  rmSync(join(fresh.folder, 'data', 'journal.made'));
  const again = await startTestDaemon({ folder: fresh.folder });
  await again.stop();
  rmSync(join(fresh.folder, 'data', 'journal.db'));
  await expect(startTestDaemon({ folder: fresh.folder })).rejects.toThrow(/is missing/);
  rmSync(fresh.folder, { recursive: true, force: true });
});

/** A separate file system that is full. Only root may mount one, as in CI. */
const canMount = process.getuid?.() === 0 && process.platform === 'linux';

describe.runIf(canMount)('a disk that is full when it starts', () => {
  it('fails with the reason, and holds neither the port nor the lock', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gc-full-disk-'));
    const data = join(folder, 'data');
    mkdirSync(data);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k,mode=700', 'tmpfs', data]);
    try {
      const port = await freePort();
      fill(join(data, 'ballast'));
      for (let round = 0; round < 2; round++)
        await expect(startTestDaemon({ folder, port })).rejects.toThrow(/ENOSPC|no space|full|disk I\/O/i);
      await new Promise<void>((resolve, reject) => {
        const server = createServer().once('error', reject);
        server.listen(port, '127.0.0.1', () => server.close(() => resolve()));
      });
      rmSync(join(data, 'ballast'));
      execFileSync('mount', ['-o', 'remount,size=64m', data]);
      const started = await startTestDaemon({ folder, port });
      expect((await started.call('GET', '/healthz')).status).toBe(200);
      await started.stop();
    } finally {
      execFileSync('umount', ['-l', data]);
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('fails as cleanly when the space runs out at any later step', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gc-full-disk-'));
    const data = join(folder, 'data');
    mkdirSync(data);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m,mode=700', 'tmpfs', data]);
    const outcomes = new Set<string>();
    try {
      for (let free = 4; free <= 512; free *= 2) {
        for (const name of readdirSync(data)) rmSync(join(data, name), { recursive: true, force: true });
        fill(join(data, 'ballast'));
        truncateSync(join(data, 'ballast'), 64 * 2 ** 20 - free * 1024);
        const started = await startTestDaemon({ folder }).catch((error: Error) => error);
        if (started instanceof Error) outcomes.add('refused');
        else {
          outcomes.add('started');
          await started.stop().catch(() => undefined);
        }
        rmSync(join(data, 'ballast'));
        const next = await startTestDaemon({ folder });
        expect((await next.call('GET', '/healthz')).status).toBe(200);
        await next.stop();
      }
      expect(outcomes).toContain('refused');
    } finally {
      execFileSync('umount', ['-l', data]);
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

function overwrite(path: string, bytes: Buffer, at = 0): void {
  rmSync(`${path}-wal`, { force: true });
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
}

function cutOff(path: string): void {
  rmSync(`${path}-wal`, { force: true });
  truncateSync(path, 8192);
}

function fill(path: string): void {
  try {
    execFileSync('dd', ['if=/dev/zero', `of=${path}`, 'bs=4k'], { stdio: 'ignore' });
  } catch {
    // dd ends with an error when the disk is full, which is the point
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
