import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../test/kit/wait.ts';
import { openHistory } from './schema.ts';
import { UnsyncedWrites } from './unsynced-writes.ts';

function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'gc-unsynced-'));
  const path = join(folder, 'history.db');
  const db = openHistory(path);
  onTestFinished(() => {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const synchronous = () => (db.prepare('PRAGMA synchronous').get() as { synchronous: number }).synchronous;
  return { db, path, mark: `${path}-unsynced`, synchronous };
}
const [OFF, NORMAL] = [0, 1];

test('waits for the disk again, and takes the mark away, some time after the great deal', async () => {
  const { db, path, mark, synchronous } = setUp();
  const writes = new UnsyncedWrites(path, 'boot one');
  writes.begin(db);
  expect([synchronous(), readFileSync(mark, 'utf8')]).toEqual([OFF, 'boot one']);
  writes.end(db, 1);
  await waitFor(() => !existsSync(mark), { what: 'the mark to be gone' });
  expect(synchronous()).toBe(NORMAL);
  expect(writes.wereLost()).toBe(false);
});

test('goes on after a kill, and starts over after the machine went down', () => {
  const { db, path } = setUp();
  new UnsyncedWrites(path, 'boot one').begin(db);
  expect(new UnsyncedWrites(path, 'boot one').wereLost()).toBe(false);
  expect(new UnsyncedWrites(path, 'boot two').wereLost()).toBe(true);
});

test('what a killed process left unsynced is settled by the next', async () => {
  const { db, path, mark } = setUp();
  writeFileSync(mark, 'boot one');
  const writes = new UnsyncedWrites(path, 'boot one');
  writes.end(db, 1);
  await waitFor(() => !existsSync(mark), { what: 'the mark to be gone' });
});

test('another great deal keeps the mark, and so does the end of the daemon', async () => {
  const { db, path, mark, synchronous } = setUp();
  const writes = new UnsyncedWrites(path, 'boot one');
  writes.begin(db);
  writes.end(db, 1);
  writes.begin(db);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([existsSync(mark), synchronous()]).toEqual([true, OFF]);
  writes.end(db, 1);
  writes.stop();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(existsSync(mark)).toBe(true);
});
