import { expect, test } from 'vitest';
import { complete } from './complete.ts';
import { loadAll } from './program.ts';

const program = await loadAll();

const valuesOf = async (...words: string[]) => {
  const found = await complete(program, words);
  return found === 'files' ? found : found.map(({ value }) => value);
};

test.each([
  [['sta'], ['status', 'stats']],
  [
    ['hooks', ''],
    ['install', 'remove', 'status'],
  ],
  [
    ['link', '--role', ''],
    ['admin', 'operator', 'viewer'],
  ],
  [['completion', 'b'], ['bash']],
  [['up', '--det'], ['--detach']],
  [['deny', '--message', ''], []],
  [['status', ''], []],
])('completes %j', async (words, values) => {
  expect(await valuesOf(...words)).toEqual(values);
});

test.each([[['rules', 'import', '']], [['export', '3f2a', '--out', '']], [['status', '--data-dir', '']]])(
  'leaves file names to the shell: %j',
  async (words) => {
    expect(await valuesOf(...words)).toBe('files');
  },
);

test('keeps internal commands and options to itself', async () => {
  expect(await valuesOf('_')).toEqual([]);
  expect(await valuesOf('up', '--b')).toEqual([]);
});
