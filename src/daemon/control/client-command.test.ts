import { expect, test } from 'vitest';
import { findClientCommand } from './client-command.ts';

test.each([
  ['/compact', '/compact'],
  ['/compact keep the API', '/compact'],
  ['/clear\nand go on', '/clear'],
  ['/plugin:review all', '/plugin:review'],
  ['!ls -l', '!ls'],
  ['! ls', '! ls'],
])('%j is a command of the client', (text, command) => {
  expect(findClientCommand(text)).toBe(command);
});

test.each([
  '/etc/hosts is wrong',
  '/usr/bin/env',
  '/ is the root',
  'Run /compact when you are done',
  '!',
  '# Heading',
  '- /clear',
  'What does !important do?',
])('%j is not', (text) => {
  expect(findClientCommand(text)).toBeUndefined();
});
