import { expect, it } from 'vitest';
import { toRequest } from './use-start-session.ts';

const typed = {
  cwd: '',
  prompt: 'Fix the build',
  name: '',
  blueprint: '',
  parameters: {},
  driver: 'claude' as const,
  worktree: false,
  dollars: '',
  allowedTools: '',
};

it('omits empty fields', () => {
  expect(toRequest(typed)).toEqual({ prompt: 'Fix the build', driver: 'claude', parameters: {}, allowedTools: [] });
});

it('sends numbers and booleans as JSON, and one tool per line', () => {
  const request = toRequest({
    ...typed,
    cwd: '/work/api',
    worktree: true,
    dollars: '1.5',
    allowedTools: ' Read \n\nBash(npm test*)',
    parameters: { depth: '2', strict: 'true', language: 'Go', version: '1.2.3', empty: '' },
  });
  expect(request).toMatchObject({
    cwd: '/work/api',
    worktree: {},
    budget: { dollars: 1.5 },
    allowedTools: ['Read', 'Bash(npm test*)'],
    parameters: { depth: 2, strict: true, language: 'Go', version: '1.2.3' },
  });
});

it('requests no worktree without a folder', () => {
  expect(toRequest({ ...typed, worktree: true })).not.toHaveProperty('worktree');
});
