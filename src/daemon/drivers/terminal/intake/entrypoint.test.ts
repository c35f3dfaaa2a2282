import { expect, test } from 'vitest';
import { hasTerminal, isHeadless } from '../../../sessions/entrypoint.ts';
import { readEntrypoint } from './entrypoint.ts';

test('reads the entry point a client sends, and ignores a variable that was not filled in', () => {
  expect(readEntrypoint('sdk-cli')).toBe('sdk-cli');
  for (const header of ['$CLAUDE_CODE_ENTRYPOINT', '', undefined, ['cli'], 'x'.repeat(65)])
    expect(readEntrypoint(header)).toBeUndefined();
});

test('only a client in a terminal shows a dialog while a request is held', () => {
  expect(['cli', undefined, null, 'sdk-cli', 'sdk-ts', 'claude-vscode'].filter(hasTerminal)).toEqual([
    'cli',
    undefined,
    null,
  ]);
  expect(['cli', undefined, 'sdk-cli', 'sdk-ts'].filter(isHeadless)).toEqual(['sdk-cli']);
});
