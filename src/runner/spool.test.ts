import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readSpool, Spool } from './spool.ts';

function newPath(): string {
  const dir = mkdtempSync(join(tmpdir(), 'gc-spool-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, 'spool.jsonl');
}

const ended = (error: string | null) => ({ kind: 'ended' as const, error });

test('numbers events in order and keeps them until they are acknowledged', () => {
  const spool = new Spool(newPath());
  for (const error of ['a', 'b', 'c']) spool.append(ended(error));
  expect(spool.next(2).map(({ seq }) => seq)).toEqual([1, 2]);
  expect(spool.next(10)).toHaveLength(3);
  spool.ack(2);
  expect(spool.next(10)).toMatchObject([{ seq: 3, error: 'c' }]);
  spool.ack(3);
  expect(spool.isEmpty).toBe(true);
  spool.close();
});

test('writes an event to disk before append returns', () => {
  const path = newPath();
  const spool = new Spool(path);
  spool.append(ended('kept'));
  expect(
    readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{ seq: 1, error: 'kept' }]);
  spool.close();
});

test('ignores repeated and late acknowledgements', () => {
  const spool = new Spool(newPath());
  for (const error of ['a', 'b']) spool.append(ended(error));
  spool.ack(2);
  spool.ack(1);
  expect(spool.isEmpty).toBe(true);
  spool.append(ended('c'));
  expect(spool.next(10)).toMatchObject([{ seq: 3 }]);
  spool.close();
});

test("reads a killed runner's events that the daemon lacks, without a partial line", () => {
  const path = newPath();
  const spool = new Spool(path);
  for (const error of ['a', 'b', 'c']) spool.append(ended(error));
  spool.close();
  appendFileSync(path, '{"seq":4,"kind":"end');
  expect(readSpool(path, { after: 1 })).toMatchObject([
    { seq: 2, error: 'b' },
    { seq: 3, error: 'c' },
  ]);
  expect(readSpool(`${path}.none`, { after: 0 })).toEqual([]);
});

test('empties a large file once all its events are acknowledged, and keeps numbering', () => {
  const path = newPath();
  const spool = new Spool(path);
  spool.append(ended('x'.repeat(300_000)));
  spool.ack(1);
  expect(statSync(path).size).toBe(0);
  expect(spool.append(ended(null)).seq).toBe(2);
  expect(readSpool(path, { after: 1 })).toHaveLength(1);
  spool.close();
});
