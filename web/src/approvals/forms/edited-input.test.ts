import { expect, test } from 'vitest';
import { editableText, editedInput } from './edited-input.ts';

test('edits a command as text, and keeps the rest of the input', () => {
  const call = { toolInput: { command: 'git push', timeout: 5 } };
  expect(editableText(call)).toBe('git push');
  expect(editedInput(call, 'git push --dry-run')).toEqual({ input: { command: 'git push --dry-run', timeout: 5 } });
  expect(editedInput(call, '  ')).toEqual({ problem: 'Enter a command, or go back.' });
});

test('any other input is edited as JSON', () => {
  const call = { toolInput: { url: 'https://a.example' } };
  expect(JSON.parse(editableText(call))).toEqual(call.toolInput);
  expect(editedInput(call, '{"url": "https://b.example"}')).toEqual({ input: { url: 'https://b.example' } });
  expect(editedInput(call, '[1]')).toEqual({ problem: 'The input must be a JSON object.' });
  expect(editedInput(call, '{')).toMatchObject({ problem: expect.stringContaining('Not valid JSON') });
});
