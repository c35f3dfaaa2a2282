import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { cells, shortenTo, wrap } from './cells.ts';
import { type Key, KeyReader } from './keys.ts';

function read(...chunks: string[]): Key[] {
  const keys: Key[] = [];
  const reader = new KeyReader((key) => keys.push(key));
  for (const chunk of chunks) reader.take(chunk);
  return keys;
}

it('distinguishes text, sequences and single keys, however they are chunked', () => {
  const up = '\u001B[A';
  expect(read(`ab${up}\rc\u0002\u0003\u0004`)).toEqual([
    { kind: 'text', text: 'ab' },
    { kind: 'text', text: up },
    { kind: 'enter' },
    { kind: 'text', text: 'c' },
    { kind: 'background' },
    { kind: 'cancel' },
    { kind: 'end' },
  ]);
  expect(read('\u001B', '[', 'A')).toEqual([{ kind: 'text', text: up }]);
  expect(read('\u001B\r')).toEqual([{ kind: 'newline' }]);
});

it('treats a paste as one input, even if it arrives in pieces', () => {
  expect(read('\u001B[20', '0~one\r\nt', 'wo\r\u001B[201~x')).toEqual([
    { kind: 'paste', text: 'one\ntwo\n' },
    { kind: 'text', text: 'x' },
  ]);
});

it('treats a lone escape as the Esc key', async () => {
  const keys: Key[] = [];
  const reader = new KeyReader((key) => keys.push(key));
  reader.take('\u001B');
  expect(keys).toEqual([]);
  await sleep(80);
  expect(keys).toEqual([{ kind: 'escape' }]);
});

it('measures wide and combining characters', () => {
  expect([cells('abc'), cells('你好'), cells('e\u0301')]).toEqual([3, 4, 1]);
  expect(shortenTo('你好你好', 5)).toBe('你好…');
  expect(wrap('你好ab', 3)).toEqual(['你', '好a', 'b']);
});
