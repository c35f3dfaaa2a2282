import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLines } from './read-lines.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gc-lines-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(content: Buffer | string, { from = 0, block = 16, maxLine = 1000 } = {}) {
  const path = join(folder, 'file');
  writeFileSync(path, content);
  const fd = openSync(path, 'r');
  const found: { text: string; position: number }[] = [];
  const tooLong: number[] = [];
  try {
    const next = readLines({
      fd,
      from,
      block,
      maxLine,
      onLine: (bytes, start, end, position) => found.push({ text: bytes.toString('utf8', start, end), position }),
      onTooLong: (position) => tooLong.push(position),
    });
    return { found, tooLong, next };
  } finally {
    closeSync(fd);
  }
}

const texts = (content: Buffer | string) => read(content).found.map(({ text }) => text);

test('returns complete lines with their positions, and leaves a partial one', () => {
  expect(read('one\n\ntwo\r\n{"thr')).toEqual({
    found: [
      { text: 'one', position: 0 },
      { text: 'two', position: 5 },
    ],
    tooLong: [],
    next: 10,
  });
});

test('reads a last line without its newline if it is a complete object', () => {
  expect(read('{"a":1}\n{"b":{}}')).toMatchObject({ next: 16, found: [{ text: '{"a":1}' }, { text: '{"b":{}}' }] });
  expect(read('{"a":1}\n{"b":{}')).toMatchObject({ next: 8 });
});

test('skips NUL bytes, blanks and a byte order mark before a line', () => {
  expect(texts(Buffer.from('\uFEFF{}\n\0\0\0{"a":1}\n \t\r\n\0\n'))).toEqual(['{}', '{"a":1}']);
});

test('reports NUL bytes before a line, and on their own', () => {
  const told: unknown[] = [];
  const path = join(folder, 'nuls');
  writeFileSync(path, '{}\n\0 \0{"a":1}\n \t\r\n\0\0\n\uFEFF{}\n');
  const fd = openSync(path, 'r');
  readLines({
    fd,
    from: 0,
    onLine: (bytes, start, end, position, nuls) => told.push([bytes.toString('utf8', start, end), position, nuls]),
    onNuls: (position) => told.push(position),
  });
  closeSync(fd);
  expect(told).toEqual([['{}', 0, 0], ['{"a":1}', 3, 2], 18, ['{}', 21, 0]]);
});

test('skips a line that is too long, and continues after it', () => {
  const long = 'x'.repeat(5000);
  expect(read(`a\n${long}\nb\n`)).toEqual({
    found: [
      { text: 'a', position: 0 },
      { text: 'b', position: 5003 },
    ],
    tooLong: [2],
    next: 5005,
  });
  expect(read(`a\n${long}`)).toMatchObject({ tooLong: [], next: 2 });
});

test('returns the same lines when interrupted anywhere and resumed', () => {
  const line = fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom('', 'ü✓', '{"a":"}"}', '\r'));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), fc.nat(), fc.integer({ min: 1, max: 40 }), (all, cut, block) => {
      const content = Buffer.from(all.map((text) => `${text.replaceAll('\n', '')}\n`).join(''));
      const first = read(content.subarray(0, cut % (content.length + 1)), { block });
      const rest = read(content, { from: first.next, block });
      expect([...first.found, ...rest.found]).toEqual(read(content).found);
      expect(rest.next).toBe(content.length);
    }),
    { numRuns: 300 },
  );
});
