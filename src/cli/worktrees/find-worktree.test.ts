import { expect, test } from 'vitest';
import { pickWorktree } from './find-worktree.ts';

const all = [
  { id: 'aaaa1111', name: 'fix', project: '/w/app', path: '/d/app/fix' },
  { id: 'bbbb2222', name: 'fix', project: '/w/site', path: '/d/site/fix' },
  { id: 'cccc3333', name: 'Docs', project: '/w/app', path: '/d/app/docs' },
];

test('finds a worktree by name, in the project of this folder first, or by its id', () => {
  expect(pickWorktree(all, 'docs', '/').id).toBe('cccc3333');
  expect(pickWorktree(all, 'fix', '/w/site/src').id).toBe('bbbb2222');
  expect(pickWorktree(all, 'fix', '/d/app/fix').id).toBe('aaaa1111');
  expect(pickWorktree(all, 'bbbb', '/').id).toBe('bbbb2222');
  expect(() => pickWorktree(all, 'fix', '/w/application')).toThrow(
    /Several worktrees are named fix[\s\S]*aaaa1111[\s\S]*bbbb2222/,
  );
  expect(() => pickWorktree(all, 'gone', '/')).toThrow(/No worktree named "gone"/);
});
