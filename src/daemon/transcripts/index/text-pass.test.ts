import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FileRows } from './file-rows.ts';
import { prompt } from './index-for-test.ts';
import { readText } from './read-text.ts';
import { openHistory } from './schema.ts';
import { TextPass } from './text-pass.ts';

/** Several parts, the last of which is reached after a checkpoint or two. */
function makeLongTranscript() {
  const folder = mkdtempSync(join(tmpdir(), 'gc-text-'));
  const db = openHistory(join(folder, 'history.db'));
  onTestFinished(() => {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const path = join(folder, 's1.jsonl');
  const lines = Array.from({ length: 60 }, (_, n) => prompt(`number${n} ${'word '.repeat(20_000)}`));
  writeFileSync(path, `${lines.join('\n')}\n`);
  const rows = new FileRows(db);
  const row = rows.add(
    {
      path,
      sessionId: 's1',
      agentId: null,
      parser: 1,
      size: 1,
      mtimeMs: 1,
      inode: 1,
      bornMs: 1,
      edges: '',
      totalsOffset: 1,
      textOffset: 0,
      problems: { lines: {}, unknownTypes: {} },
      firstAt: null,
      lastAt: null,
    },
    '{}',
  );
  const text = new TextPass({ db, rows });
  const pieces = () => (db.prepare('SELECT start FROM pieces ORDER BY id').all() as { start: number }[]).length;
  return { db, rows, row, text, pieces };
}

test('resumes from each checkpoint as if it had never stopped', () => {
  const { rows, row, text, pieces } = makeLongTranscript();
  const atOnce = [...readText(text.jobOf(row))];
  expect(atOnce.length).toBeGreaterThan(5);
  expect(atOnce.filter(({ stop }) => stop).length).toBeGreaterThan(1);
  for (let isLast = false; !isLast; ) {
    for (const part of readText(text.jobOf(row))) {
      expect(text.write(part)).toBe(row);
      isLast = part.isLast;
      if (part.stop) break;
    }
  }
  expect(pieces()).toBe(60);
  expect(text.jobOf(row).facts).toBe(atOnce.at(-1)?.stop?.facts);
  expect(rows.byPath(row.path)?.textOffset).toBe(atOnce.at(-1)?.to);
});

test('discards what was read from a file that was replaced meanwhile', () => {
  const { rows, row, text, pieces } = makeLongTranscript();
  const [first, second, third] = readText(text.jobOf(row));
  text.write(first!);
  const written = pieces();
  expect(text.write(third!)).toBeUndefined();
  rows.remove(row);
  expect(text.write(second!)).toBeUndefined();
  expect(written).toBeGreaterThan(0);
  expect(pieces()).toBe(0);
});
