import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readSpool } from '../daemon/drivers/runner/read-spool.ts';
import { Spool } from './spool.ts';

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
  expect(readSpool(path, { after: 1 })).toMatchObject({
    events: [
      { seq: 2, error: 'b' },
      { seq: 3, error: 'c' },
    ],
    broken: [],
  });
  expect(readSpool(`${path}.none`, { after: 0 })).toEqual({ events: [], broken: [] });
});

test('empties a large file once all its events are acknowledged, and keeps numbering', () => {
  const path = newPath();
  const spool = new Spool(path);
  spool.append(ended('x'.repeat(300_000)));
  spool.ack(1);
  expect(statSync(path).size).toBe(0);
  expect(spool.append(ended(null)).seq).toBe(2);
  expect(readSpool(path, { after: 1 }).events).toHaveLength(1);
  spool.close();
});

test('reads what comes after a broken line, and says which line it was', () => {
  const path = newPath();
  const spool = new Spool(path);
  spool.append(ended('a'));
  appendFileSync(path, '{"seq":2,"kind":"en\u0000\u0000\n{"seq":3,"kind":"unheard of"}\n');
  spool.append(ended('d'));
  spool.close();
  expect(readSpool(path, { after: 0 })).toMatchObject({
    events: [
      { seq: 1, error: 'a' },
      { seq: 2, error: 'd' },
    ],
    broken: [2, 3],
  });
});

/** A file system with room for a few lines. */
function smallDisk(): string {
  const dir = mkdtempSync(join(tmpdir(), 'gc-small-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', dir], { stdio: 'pipe' });
  onTestFinished(() => {
    execFileSync('umount', [dir]);
    rmSync(dir, { recursive: true });
  });
  return dir;
}

test.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'keeps events in memory while the disk is full, says so once, and writes them when there is room',
  async () => {
    const dir = smallDisk();
    const path = join(dir, 'spool.jsonl');
    writeFileSync(join(dir, 'ballast'), Buffer.alloc(8192));
    const failures: (string | null)[] = [];
    const onFailure = (error: Error | null) => void failures.push(error && (error as NodeJS.ErrnoException).code!);
    const spool = new Spool(path, { onFailure, retryMs: 20 });
    onTestFinished(() => spool.close());
    const texts = Array.from({ length: 8 }, (_, index) => String(index).repeat(1500));
    for (const text of texts) spool.append(ended(text));
    expect(failures).toEqual(['ENOSPC']);
    // the daemon still gets all of them, from memory
    expect(spool.next(100)).toHaveLength(8);
    // and what is in the file is whole
    const before = readSpool(path, { after: 0 });
    expect(before.broken).toEqual([]);
    expect(before.events.length).toBeLessThan(8);

    rmSync(join(dir, 'ballast'));
    await expect.poll(() => failures).toEqual(['ENOSPC', null]);
    expect(readSpool(path, { after: 0 }).events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  },
);
