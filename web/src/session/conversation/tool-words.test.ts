import { expect, it } from 'vitest';
import { toolWords } from './tool-words.ts';

const words = (name: string, input: Record<string, unknown>, running = false) => {
  const { verb, object } = toolWords(name, input, { running });
  return `${verb} ${object}`.trim();
};

it.each([
  ['Bash', { command: 'npm test\n--watch' }, 'Ran npm test --watch'],
  ['Read', { file_path: '/home/dev/shop/src/cart/total.ts' }, 'Read …/src/cart/total.ts'],
  ['Read', { file_path: 'a.ts' }, 'Read a.ts'],
  ['Edit', { file_path: '/a/b.ts', old_string: 'x' }, 'Edited /a/b.ts'],
  ['Grep', { pattern: 'TODO', path: 'src' }, 'Searched for TODO'],
  ['Agent', { description: 'Look at the logs', prompt: 'long' }, 'Delegated Look at the logs'],
  ['AskUserQuestion', { questions: [{ question: 'Which?' }] }, 'Asked Which?'],
  ['AskUserQuestion', { questions: 'nonsense' }, 'Asked'],
  ['mcp__github__create_issue', { repo: 'a/b' }, 'Github: create issue a/b'],
  ['SomethingNew', { n: 1, text: 'x' }, 'SomethingNew x'],
  ['constructor', {}, 'Constructor'],
  ['Bash', { command: 7 }, 'Ran'],
])('%s', (name, input, expected) => {
  expect(words(name, input)).toBe(expected);
});

it('describes what is still running', () => {
  expect(words('Bash', { command: 'npm test' }, true)).toBe('Running npm test');
});

it('is one line, however long the command', () => {
  expect(words('Bash', { command: 'x'.repeat(1e6) }).length).toBeLessThan(300);
});
