import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EventSource } from '../../contract/sessions.ts';
import { type Draft, Journal } from './journal.ts';
import { Retention } from './retention.ts';

const DAY = 86_400_000;
let folder: string;
let journal: Journal;
let now: number;
let policy: { days: number; bytes: number };
let liveIds: Set<string>;
let neededFrom: number;
let retention: Retention;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gc-retention-'));
  now = 100 * DAY;
  policy = { days: 90, bytes: 2 ** 30 };
  liveIds = new Set();
  neededFrom = Number.MAX_SAFE_INTEGER;
  journal = new Journal({ path: join(folder, 'journal.db'), now: () => now, onCommit: () => undefined });
  retention = new Retention({
    journal,
    policy: () => policy,
    isLive: (id) => liveIds.has(id),
    neededFrom: () => neededFrom,
    now: () => now,
  });
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const add = (sessionId: string, { source = 'hook' as EventSource, size = 10 } = {}) =>
  // the journal keeps any event, and this one only has to have a size
  journal.append({ sessionId, source, name: 'X', payload: { text: 'x'.repeat(size) } } as unknown as Draft);
function tidy(): void {
  while (retention.step());
}
const left = () => [...journal.eventsAfter(0)].map(({ sessionId, source }) => `${sessionId}/${source}`);

it('removes old events, but never audit events, visible sessions or the newest event', async () => {
  await add('old');
  await add('old', { source: 'operator' });
  await add('old', { source: 'control' });
  await add('shown');
  now += 91 * DAY;
  await add('new');
  liveIds.add('shown');
  tidy();
  expect(left()).toEqual(['old/operator', 'old/control', 'shown/hook', 'new/hook']);
  expect(journal.eventCount).toBe(4);
  now += 200 * DAY;
  tidy();
  expect(left()).toContain('new/hook');
});

it('keeps everything the next start reads', async () => {
  for (let n = 0; n < 5; n++) await add('s');
  now += 100 * DAY;
  neededFrom = 3;
  tidy();
  expect([...journal.eventsAfter(0)].map(({ seq }) => seq)).toEqual([3, 4, 5]);
});

it('shortens large payloads after a week, and keeps them readable', async () => {
  await add('s', { size: 500_000 });
  await add('s', { source: 'operator', size: 500_000 });
  tidy();
  expect(journal.sessionEvents('s', { after: 0, limit: 9 })[0]?.payload.text).toHaveLength(500_000);
  now += 8 * DAY;
  tidy();
  const [shortened, record] = journal.sessionEvents('s', { after: 0, limit: 9 });
  expect(shortened?.payload).toEqual({
    shortened: { bytes: expect.any(Number) },
    text: expect.stringMatching(/^x{4096}… \[\+495904 chars\]$/),
  });
  expect(record?.payload.text).toHaveLength(500_000);
});

it('removes the oldest events first when the file is too large, and frees the space', async () => {
  for (let n = 0; n < 200; n++) await add('s', { size: 100_000 });
  const before = journal.bytes;
  policy.bytes = 5 * 2 ** 20;
  tidy();
  expect(journal.bytes).toBeLessThan(6 * 2 ** 20);
  expect(before).toBeGreaterThan(15 * 2 ** 20);
  expect(left().length).toBeGreaterThan(0);
  const { seq } = await add('s');
  expect(seq).toBe(201);
});

it('continues where it was after a restart, and never reuses a position', async () => {
  for (let n = 0; n < 500; n++) await add('s');
  now += 100 * DAY;
  retention.step();
  journal.close();
  journal = new Journal({ path: join(folder, 'journal.db'), now: () => now, onCommit: () => undefined });
  const again = new Retention({
    journal,
    policy: () => policy,
    isLive: () => false,
    neededFrom: () => 1e9,
    now: () => now,
  });
  while (again.step());
  expect([...journal.eventsAfter(0)].map(({ seq }) => seq)).toEqual([500]);
  expect((await add('s')).seq).toBe(501);
});
