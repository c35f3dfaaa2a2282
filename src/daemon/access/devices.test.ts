import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Journal } from '../journal/journal.ts';
import { Devices } from './devices.ts';

test('saves the last-seen time of a device separately, so a request writes nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gc-devices-'));
  const { db, close } = openJournal(join(folder, 'journal.db'));
  onTestFinished(() => {
    close();
    rmSync(folder, { recursive: true, force: true });
  });
  let now = 1_000_000;
  const devices = new Devices(db, () => now);
  const { device, token } = devices.create({ name: 'Phone', role: 'operator' });
  const saved = () => new Devices(db, () => now).list().find(({ id }) => id === device.id)?.lastSeenAt;

  now += 5000;
  db.exec('PRAGMA query_only = ON');
  expect(devices.find(token)).toMatchObject({ id: device.id, lastSeenAt: now });
  db.exec('PRAGMA query_only = OFF');
  expect(saved()).toBeNull();
  devices.saveSeen();
  expect(saved()).toBe(now);

  now += 1000;
  devices.find(token);
  devices.saveSeen();
  expect(saved()).toBe(now - 1000);
});

test('a device unused for 90 days is signed out, even if the daemon was off meanwhile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gc-devices-'));
  const { db, close } = openJournal(join(folder, 'journal.db'));
  onTestFinished(() => {
    close();
    rmSync(folder, { recursive: true, force: true });
  });
  const day = 86_400_000;
  let now = 1_000 * day;
  const devices = new Devices(db, () => now);
  devices.admitLocal('local-token');
  const used = devices.create({ name: 'Phone', role: 'operator', projects: ['/work/api'] });
  const idle = devices.create({ name: 'Old phone', role: 'viewer' });
  now += 60 * day;
  expect(devices.find(used.token)?.expiresAt).toBe(now + 90 * day);
  devices.saveSeen();
  now += 31 * day;
  const later = new Devices(db, () => now);
  expect(later.find(idle.token)).toBeUndefined();
  expect(later.find(used.token)?.projects).toEqual(['/work/api']);
  let closed = 0;
  later.whenRevoked(idle.device.id, () => closed++);
  expect(later.revokeIdle().map(({ name }) => name)).toEqual(['Old phone']);
  expect(closed).toBe(1);
  now += 1000 * day;
  expect(later.find('local-token')?.name).toBe('This machine');
});

function openJournal(path: string) {
  const journal = new Journal({ path, now: Date.now, onCommit: () => undefined });
  return { db: journal.db, close: () => journal.close() };
}
