import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Journal, type JournalEvent } from './journal.ts';
import { JournalTooNew } from './migrations.ts';
import { Snapshots } from './snapshots.ts';
import { openSqlite, tryLock } from './sqlite.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gc-journal-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = () => join(folder, 'journal.db');
const open = (onCommit: (events: JournalEvent[]) => void = () => undefined) =>
  new Journal({ path: path(), now: () => 42, onCommit });
const draft = (n: number, sessionId = 's') => ({ sessionId, source: 'hook' as const, name: 'Stop', payload: { n } });

describe('Journal', () => {
  it('numbers events without gaps and returns them after a restart', async () => {
    const journal = open();
    for (let n = 1; n <= 3; n++) await journal.append(draft(n));
    journal.close();
    const again = open();
    expect(again.committedSeq).toBe(3);
    expect((await again.append(draft(4, 'other'))).seq).toBe(4);
    expect([...again.eventsAfter(1)].map(({ seq, payload }) => [seq, payload.n])).toEqual([
      [2, 2],
      [3, 3],
      [4, 4],
    ]);
    expect(again.sessionEvents('s', { after: 1, limit: 1 })).toEqual([
      { seq: 2, at: 42, sessionId: 's', source: 'hook', name: 'Stop', payload: { n: 2 } },
    ]);
    again.close();
  });

  it('commits concurrent appends as one batch, and announces it before acknowledging', async () => {
    const batches: number[][] = [];
    const order: string[] = [];
    const journal = open((events) => {
      batches.push(events.map((event) => event.seq));
      order.push('commit');
    });
    await Promise.all([1, 2, 3].map((n) => journal.append(draft(n)).then(() => order.push('ack'))));
    await journal.append(draft(4));
    expect(batches).toEqual([[1, 2, 3], [4]]);
    expect(order).toEqual(['commit', 'ack', 'ack', 'ack', 'commit']);
    journal.close();
  });

  it('keeps the bytes of a payload unchanged', async () => {
    const journal = open();
    const bytes = Buffer.from('{ "n" : 1,\n"ü": "\\u00fc" }');
    await journal.append({ ...draft(1), payload: JSON.parse(bytes.toString()), bytes });
    const { body } = journal.db.prepare('SELECT body FROM events').get() as { body: ArrayBuffer };
    expect(Buffer.from(body).equals(bytes)).toBe(true);
    journal.close();
  });

  it("refuses only the event that couldn't be written, and leaves no gap", async () => {
    const journal = open();
    await journal.append(draft(1));
    journal.db.exec(
      "CREATE TRIGGER no BEFORE INSERT ON events WHEN NEW.session_id = 'bad' BEGIN SELECT RAISE(ABORT, 'refused'); END",
    );
    const refuse = () => {
      throw new Error('refused, too');
    };
    const results = await Promise.allSettled([
      journal.append(draft(2)),
      journal.append(draft(3, 'bad')),
      journal.append({ ...draft(4), write: refuse }),
      journal.append(draft(5)),
    ]);
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value.seq : result.reason.message))).toEqual(
      [2, expect.stringContaining('refused'), 'refused, too', 3],
    );
    expect((await journal.append(draft(6))).seq).toBe(4);
    expect([...journal.eventsAfter(0)].map(({ seq, payload }) => [seq, payload.n])).toEqual([
      [1, 1],
      [2, 2],
      [3, 5],
      [4, 6],
    ]);
    journal.close();
  });

  it('refuses a file of a newer version and leaves it alone', () => {
    open().close();
    const db = openSqlite(path());
    db.exec('PRAGMA user_version = 999');
    db.close();
    expect(() => open()).toThrow(JournalTooNew);
  });
});

describe('Snapshots', () => {
  const read = (snapshots: Snapshots) => {
    const oldest = snapshots.oldest();
    return oldest && { seq: oldest.seq, parts: [...oldest.parts] };
  };

  it('keeps two, reads the older, and ignores those of another model version', async () => {
    const journal = open();
    const snapshots = new Snapshots(journal.db, 1);
    expect(read(snapshots)).toBeUndefined();
    for (const seq of [10, 20, 30]) await snapshots.save({ seq, parts: [`[${seq}]`, '[]'] });
    expect(read(snapshots)).toEqual({ seq: 20, parts: ['[20]', '[]'] });
    expect(snapshots.newestSeq()).toBe(30);
    expect(read(new Snapshots(journal.db, 2))).toBeUndefined();
    journal.close();
  });

  it('counts only complete ones, removes what is left of others, and reads those of earlier versions', async () => {
    const journal = open();
    const snapshots = new Snapshots(journal.db, 1);
    journal.db.prepare('INSERT INTO snapshots VALUES (5, 1, ?)').run('["old"]');
    expect(read(snapshots)).toEqual({ seq: 5, parts: ['["old"]'] });
    let isClosed = false;
    const interrupted = (function* () {
      yield '[1]';
      isClosed = true;
      yield '[2]';
    })();
    expect(await snapshots.save({ seq: 10, parts: interrupted }, () => isClosed)).toBe(false);
    expect(snapshots.newestSeq()).toBe(5);
    await snapshots.save({ seq: 20, parts: ['[3]'] });
    expect(journal.db.prepare('SELECT seq FROM snapshot_parts').all()).toEqual([{ seq: 20 }]);
    journal.close();
  });
});

describe('tryLock', () => {
  it('is held by one process at a time', () => {
    const lock = tryLock(join(folder, 'lock'));
    expect(tryLock(join(folder, 'lock'))).toBeUndefined();
    lock?.release();
    expect(tryLock(join(folder, 'lock'))).toBeDefined();
  });
});
