import { expect, test } from 'vitest';
import { editsIn } from './edits-in.ts';

test('finds the change in a call of each editing tool', () => {
  expect(editsIn('Edit', { file_path: '/a', old_string: 'x', new_string: 'y', replace_all: true })).toEqual([
    { path: '/a', before: 'x', after: 'y', note: 'Every occurrence' },
  ]);
  expect(editsIn('Write', { file_path: '/a', content: 'new' })).toEqual([
    { path: '/a', before: null, after: 'new', note: 'Whole file' },
  ]);
  expect(editsIn('NotebookEdit', { notebook_path: '/n', new_source: 'z', cell_id: 'c', edit_mode: 'insert' })).toEqual([
    { path: '/n', before: null, after: 'z', note: 'New cell after cell c' },
  ]);
});

test('ignores other calls and unknown shapes', () => {
  expect(editsIn('Bash', { command: 'ls' })).toBeNull();
  expect(editsIn('Edit', { file_path: '/a', old_string: 'x' })).toBeNull();
  expect(editsIn('MultiEdit', { file_path: '/a', edits: 'many' })).toBeNull();
});

test('shows the steps of a MultiEdit that are not valid edits', () => {
  const edits = [{ old_string: '1', new_string: '2' }, null, { old_string: '3' }];
  expect(editsIn('MultiEdit', { file_path: '/a', edits })).toEqual([
    { path: '/a', before: '1', after: '2', note: '' },
    { path: '/a', before: null, after: '', note: 'Invalid edit', malformed: 'null' },
    { path: '/a', before: null, after: '', note: 'Invalid edit', malformed: '{\n  "old_string": "3"\n}' },
  ]);
  expect(editsIn('MultiEdit', { file_path: '/a', edits: [null] })).toBeNull();
});
