import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../../test/kit/wait.ts';
import { answer, lines, prompt } from '../index/index-for-test.ts';
import { openHistory } from '../index/schema.ts';
import { runIndexer } from './run-indexer.ts';
import type { FromIndexer } from './worker-messages.ts';

test('replaces a corrupt index', async () => {
  const { historyPath, index, counts } = setUp();
  await index();
  breakInside(historyPath);
  await expect(index()).rejects.toThrow(/malformed|constructor failed/);
  await index();
  expect(counts()).toMatchObject({ files: 40, messages: 40 });
});

test('replaces an index that was being written during a power cut', async () => {
  const { historyPath, index, counts } = setUp();
  await index();
  writeFileSync(`${historyPath}-unsynced`, 'another run of the machine');
  tamper(historyPath);
  expect(counts()).toMatchObject({ messages: 80 });
  await index();
  expect(counts()).toMatchObject({ files: 40, messages: 40 });
  expect(existsSync(`${historyPath}-unsynced`)).toBe(false);
});

function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'gc-broken-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const historyPath = join(folder, 'history.db');
  mkdirSync(join(folder, 'projects', 'p'), { recursive: true });
  for (let n = 0; n < 40; n++) {
    const words = prompt(`hello ${n} `.repeat(200));
    writeFileSync(join(folder, 'projects', 'p', `s${n}.jsonl`), lines(words, answer({ id: `a${n}` })));
  }
  return { historyPath, index, counts };

  function counts() {
    const db = openHistory(historyPath);
    try {
      return db.prepare('SELECT COUNT(*) AS files, SUM(messages) AS messages FROM usage').get();
    } finally {
      db.close();
    }
  }

  async function index(): Promise<void> {
    const { port1: port, port2: ours } = new MessageChannel();
    const heard: FromIndexer[] = [];
    ours.on('message', (message: FromIndexer) => void heard.push(message));
    onTestFinished(() => ours.close());
    const paths = { historyPath, journalPath: join(folder, 'journal.db'), configDir: folder };
    // there is too little to read for other threads
    const worker = join(folder, 'no-worker.mjs');
    writeFileSync(worker, '');
    const start = {
      role: 'indexer' as const,
      paths,
      worker,
      overrides: [],
      stop: new SharedArrayBuffer(4),
      scanners: { ports: [], ahead: null },
    };
    runIndexer(port, start);
    await waitFor(
      () =>
        heard.some(
          (message) =>
            message.kind === 'status' && message.status.phase === 'idle' && message.status.lastScanAt !== null,
        ),
      { what: 'the index' },
    );
    const closed = new Promise((resolve) => void ours.once('close', resolve));
    ours.postMessage({ kind: 'stop' });
    await closed;
  }
}

/** No file has changed, so only a rebuilt index can be correct again. */
function tamper(path: string): void {
  const db = openHistory(path);
  db.exec('UPDATE usage SET messages = 2 * messages');
  db.close();
}

/** The pages with the version and table definitions stay. */
function breakInside(path: string): void {
  const db = openHistory(path);
  db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  const { page } = db.prepare("SELECT rootpage AS page FROM sqlite_schema WHERE name = 'files'").get() as {
    page: number;
  };
  db.close();
  const fd = openSync(path, 'r+');
  writeSync(fd, Buffer.alloc(PAGE, 0x5a), 0, PAGE, (page - 1) * PAGE);
  closeSync(fd);
}

const PAGE = 4096;
