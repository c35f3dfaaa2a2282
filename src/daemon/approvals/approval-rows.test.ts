import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate } from '../journal/migrations.ts';
import { openSqlite } from '../journal/sqlite.ts';
import { ApprovalRows } from './approval-rows.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gc-rows-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The last format whose correlation id started with the asker. */
const BEFORE_ORIGINS = 6;

it('reads the asker from approvals of earlier versions', () => {
  const path = join(folder, 'journal.db');
  const db = openSqlite(path);
  migrate(db, path, { to: BEFORE_ORIGINS });
  const insert = db.prepare('INSERT INTO approvals VALUES (?, ?, ?, ?, ?, ?)');
  for (const [id, correlationId] of [
    ['a', 'hook/s1/main/toolu_1'],
    ['b', 'api/my/own/id'],
  ] as const)
    insert.run(id, correlationId, 's1', 'pending', 1, JSON.stringify({ id, correlationId, toolInput: { x: 'ü' } }));
  migrate(db, path);
  const rows = new ApprovalRows(db);
  const toolInput = { x: 'ü' };
  expect(rows.list({ status: 'pending', sessionId: 's1', limit: 10 })).toEqual([
    { id: 'a', origin: 'hook', correlationId: 's1/main/toolu_1', toolInput },
    { id: 'b', origin: 'api', correlationId: 'my/own/id', toolInput },
  ]);
  expect(rows.byCorrelation({ origin: 'api', correlationId: 'my/own/id' })?.id).toBe('b');
  expect(rows.byCorrelation({ origin: 'hook', correlationId: 'my/own/id' })).toBeUndefined();
  db.close();
});
