import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Journal } from './journal.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gc-reserve-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const openIn = (at: string) => new Journal({ path: join(at, 'journal.db'), now: () => 42, onCommit: () => undefined });
const draft = (n: number) => ({
  sessionId: 's',
  source: 'hook' as const,
  name: 'Stop',
  payload: { n, text: 'x'.repeat(8000) },
});
const logSize = () => statSync(join(folder, 'journal.db-wal')).size;

/** What a killed daemon leaves: the files as they are, the log not folded into the database. */
function eventsOfACopy(): unknown[] {
  const copy = `${folder}-copy`;
  cpSync(folder, copy, { recursive: true });
  const journal = openIn(copy);
  const found = [...journal.eventsAfter(0)].map(({ payload }) => payload.n);
  journal.close();
  rmSync(copy, { recursive: true });
  return found;
}

it('keeps every event of a killed daemon, whether the log was reserved before, between or after them', async () => {
  const journal = openIn(folder);
  await journal.append(draft(1));
  journal.reserve();
  const reserved = logSize();
  await journal.append(draft(2));
  expect(logSize()).toBe(reserved);
  journal.reserve();
  expect(eventsOfACopy()).toEqual([1, 2]);
  // past the end of the log, where SQLite begins again at its start
  const all = Array.from({ length: 500 }, (_, n) => n + 1);
  for (const n of all.slice(2)) await journal.append(draft(n));
  expect(eventsOfACopy()).toEqual(all);
  journal.reserve();
  expect(eventsOfACopy()).toEqual(all);
  journal.close();
});

it('reserves room in the log that a killed daemon left', async () => {
  const journal = openIn(folder);
  await journal.append(draft(1));
  const killed = `${folder}-killed`;
  cpSync(folder, killed, { recursive: true });
  journal.close();
  rmSync(folder, { recursive: true });
  cpSync(killed, folder, { recursive: true });
  rmSync(killed, { recursive: true });
  const next = openIn(folder);
  next.reserve();
  await next.append(draft(2));
  expect(eventsOfACopy()).toEqual([1, 2]);
  next.close();
});
