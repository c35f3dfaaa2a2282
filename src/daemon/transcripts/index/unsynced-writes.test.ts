import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../../test/kit/wait.ts';
import { openHistory } from './schema.ts';
import { UnsyncedWrites } from './unsynced-writes.ts';

function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'gc-unsynced-'));
  const historyPath = join(folder, 'history.db');
  const db = openHistory(historyPath);
  onTestFinished(() => {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const mark = `${historyPath}-unsynced`;
  const state = { now: 0, idle: true };
  const inBoot = (boot: string, settleMs = 1000) =>
    new UnsyncedWrites({ historyPath, boot, settleMs, now: () => state.now, isIdle: () => state.idle });
  const synchronous = () => (db.prepare('PRAGMA synchronous').get() as { synchronous: number }).synchronous;
  const isSettled = () => !existsSync(mark) && synchronous() === NORMAL;
  return { db, mark, state, inBoot, synchronous, isSettled };
}
const [OFF, NORMAL] = [0, 1];

test('syncs again and removes the marker some time after a large write', async () => {
  const { db, mark, state, inBoot, synchronous, isSettled } = setUp();
  const writes = inBoot('boot one');
  await writes.begin(db);
  expect([synchronous(), readFileSync(mark, 'utf8')]).toEqual([OFF, 'boot one']);
  writes.rest(db);
  state.now = 600;
  writes.rest(db);
  expect(isSettled()).toBe(false);
  // small writes meanwhile don't postpone it
  state.now = 1000;
  writes.rest(db);
  expect(isSettled()).toBe(true);
  expect(writes.wereLost()).toBe(false);
});

test('syncs when nothing more is written', async () => {
  const { db, inBoot, state, isSettled } = setUp();
  const writes = inBoot('boot one', 1);
  await writes.begin(db);
  writes.rest(db);
  state.now = 1;
  await waitFor(isSettled, { what: 'the mark to be gone' });
});

test('leaves an open transaction alone: the writer syncs afterwards', async () => {
  const { db, inBoot, state, isSettled } = setUp();
  const writes = inBoot('boot one', 1);
  await writes.begin(db);
  writes.rest(db);
  db.exec('BEGIN');
  Object.assign(state, { now: 1, idle: false });
  await new Promise((resolve) => setTimeout(resolve, 30));
  db.exec('COMMIT');
  expect(isSettled()).toBe(false);
  writes.rest(db);
  expect(isSettled()).toBe(true);
});

test('continues after a kill, and starts over after a power cut', async () => {
  const { db, inBoot } = setUp();
  await inBoot('boot one').begin(db);
  expect(inBoot('boot one').wereLost()).toBe(false);
  expect(inBoot('boot two').wereLost()).toBe(true);
});

test('the next process syncs what a killed one left', () => {
  const { db, mark, state, inBoot, isSettled } = setUp();
  writeFileSync(mark, 'boot one');
  const writes = inBoot('boot one');
  writes.rest(db);
  state.now = 1000;
  writes.rest(db);
  expect(isSettled()).toBe(true);
});

test('another large write restarts the wait, and a shutdown leaves the marker', async () => {
  const { db, state, inBoot, isSettled } = setUp();
  const writes = inBoot('boot one', 1);
  await writes.begin(db);
  writes.rest(db);
  state.now = 1;
  await writes.begin(db);
  writes.rest(db);
  expect(isSettled()).toBe(false);
  writes.stop();
  state.now = 2;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(isSettled()).toBe(false);
});
