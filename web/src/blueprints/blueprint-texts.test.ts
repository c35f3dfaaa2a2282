import { expect, it } from 'vitest';
import { BLUEPRINT_FILES } from '../../../src/contract/blueprints.ts';
import { FILES, fileOf, lineRange, newTexts } from './blueprint-texts.ts';

it('knows the names of the files', () => {
  expect(FILES).toEqual(BLUEPRINT_FILES);
  expect(fileOf({ file: '/home/me/.groundcontrol/agents/a/agent.mcp.json' })).toBe('mcp');
  expect(fileOf({ file: 'agent.system-prompt.md' })).toBe('systemPrompt');
});

it('finds a line in a text, and the last line for one beyond its end', () => {
  const text = 'one\ntwo\n\nfour';
  expect(text.slice(...lineRange(text, 2))).toBe('two');
  expect(text.slice(...lineRange(text, 3))).toBe('');
  expect(text.slice(...lineRange(text, 99))).toBe('four');
  expect(text.slice(...lineRange(text, 0))).toBe('one');
});

it('starts a new blueprint with its name', () => {
  expect(JSON.parse(newTexts('reviewer').config)).toMatchObject({ name: 'reviewer' });
});
