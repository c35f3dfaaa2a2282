import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import type { Approval } from '../../../src/contract/approvals.ts';
import type { Rule } from '../../../src/contract/rules.ts';
import type { LiveSession } from '../../../src/contract/sessions.ts';

interface Dump {
  writtenAt: number;
  userVersion: number;
  schema: string[];
  rows: Record<string, Record<string, unknown>[]>;
  /** What the API of the old version returned. */
  expected: {
    sessions: LiveSession[];
    gone: LiveSession;
    approvals: Approval[];
    rules: Rule[];
    policies: { project: string; policy: string }[];
  };
}

const EPOCH_MS = /\b1[6-9]\d{11}\b/g;

/** A data dir from an older version that was killed a moment ago: its sessions still count as alive. */
export function loadOldDataDir(): { folder: string; expected: Dump['expected'] } {
  const text = readFileSync(join(import.meta.dirname, 'journal.jsonl'), 'utf8');
  const { writtenAt } = JSON.parse(text) as Dump;
  const shift = Date.now() - writtenAt;
  const dump: Dump = JSON.parse(text.replace(EPOCH_MS, (at) => String(Number(at) + shift)));
  const folder = mkdtempSync(join(tmpdir(), 'gc-old-'));
  mkdirSync(join(folder, 'data'), { mode: 0o700 });
  const db = new Database(join(folder, 'data', 'journal.db'));
  for (const sql of dump.schema) db.exec(sql);
  for (const [table, rows] of Object.entries(dump.rows)) {
    for (const row of rows) {
      const columns = Object.keys(row);
      const values = columns.map((column) => toValue(table, column, row[column]));
      db.prepare(`INSERT INTO ${table} (${columns}) VALUES (${columns.map(() => '?')})`).run(...values);
    }
  }
  db.exec(`PRAGMA user_version = ${dump.userVersion}`);
  db.close();
  return { folder, expected: dump.expected };
}

function toValue(table: string, column: string, value: unknown): unknown {
  if (table === 'events' && column === 'body') return Buffer.from(value as string);
  return typeof value === 'object' && value !== null ? Buffer.from((value as { hex: string }).hex, 'hex') : value;
}
