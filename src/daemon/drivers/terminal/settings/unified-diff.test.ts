import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempDir } from './temp-dir-for-test.ts';
import { unifiedDiff } from './unified-diff.ts';

test('shows added lines with context', () => {
  expect(unifiedDiff('{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "hooks": {}\n}\n', 'settings.json')).toBe(
    [
      '--- settings.json',
      '+++ settings.json',
      '@@ -1,3 +1,4 @@',
      ' {',
      '-  "a": 1',
      '+  "a": 1,',
      '+  "hooks": {}',
      ' }',
      '',
    ].join('\n'),
  );
});

test('puts distant changes into separate hunks', () => {
  const lines = Array.from({ length: 30 }, (_, i) => `line ${i + 1}\n`);
  const diff = unifiedDiff(lines.join(''), lines.with(1, 'two\n').with(27, 'twenty-eight\n').join(''), 'f');
  expect(diff.split('\n').filter((line) => line.startsWith('@@'))).toEqual(['@@ -1,5 +1,5 @@', '@@ -25,6 +25,6 @@']);
});

test('handles a new file and identical files', () => {
  expect(unifiedDiff('', 'a\n', 'f')).toBe('--- f\n+++ f\n@@ -0,0 +1,1 @@\n+a\n');
  expect(unifiedDiff('a', 'a', 'f')).toBe('');
});

test('prints what `git apply` understands', () => {
  const folder = tempDir('diff');
  const file = join(folder, 'f');
  const text = fc
    .tuple(
      fc.array(fc.constantFrom('a', 'b', 'c', 'd', '{', '}'), { minLength: 1, maxLength: 25 }),
      fc.constantFrom('', '\n'),
    )
    .map(([lines, tail]) => lines.join('\n') + tail);
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      writeFileSync(file, before);
      execFileSync('git', ['apply', '--unidiff-zero', '-p0', '-'], {
        cwd: folder,
        input: unifiedDiff(before, after, 'f'),
      });
      expect(readFileSync(file, 'utf8')).toBe(after);
    }),
    { numRuns: 40 },
  );
});
