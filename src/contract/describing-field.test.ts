import { expect, test } from 'vitest';
import { describingField } from './describing-field.ts';

test.each([
  ['a command, not its description', { description: 'List', command: 'ls' }, 'ls', false],
  ['a file', { file_path: '/a', old_string: 'x' }, '/a', true],
  ['a pattern, not where it is looked for', { path: '/src', pattern: 'TODO' }, 'TODO', false],
  ['a page, not what is asked about it', { prompt: 'Summarize', url: 'https://a.b' }, 'https://a.b', false],
  ['a task by its title', { prompt: 'Long text', description: 'Find it' }, 'Find it', false],
  ['a folder', { path: '/src' }, '/src', true],
  ['what is left when the first is blank or no text', { command: ' ', file_path: 3, query: 'cats' }, 'cats', false],
])('is %s', (_, input, value, isPath) => {
  expect(describingField(input)).toMatchObject({ value, isPath });
});

test('is missing where no field says it', () => {
  expect(describingField({ count: 3 })).toBeUndefined();
});
