import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPermissionContext } from './context.ts';
import { judgeCall } from './judge-call.ts';

let folder = '';
beforeAll(() => {
  // below a folder whose own name is protected, as our worktrees are
  folder = join(mkdtempSync(join(tmpdir(), 'gc-judge-')), '.groundcontrol', 'project');
  mkdirSync(join(folder, '.git', 'hooks'), { recursive: true });
  mkdirSync(join(folder, 'src'));
  symlinkSync(join(folder, '.git', 'hooks'), join(folder, 'innocent'));
});
afterAll(() => rmSync(join(folder, '..', '..'), { recursive: true, force: true }));

const edit = (path: string) =>
  judgeCall(
    {
      id: 'call',
      name: 'Write',
      input: { file_path: path },
      actor: { id: 'main' },
      kind: 'permission',
      isRead: false,
      edits: [path],
      canBackground: false,
    },
    createPermissionContext({ mode: 'acceptEdits' }),
    folder,
  ).decision;

test.for(['src/a.ts', 'new/folder/b.ts', '.gitignore', '.github/README.md', 'src/claude/x.ts'])(
  'acceptEdits allows an edit of %s',
  (path) => expect(edit(path)).toBe('allow'),
);

test.for([
  '.git/hooks/pre-commit',
  '.git/config',
  '.GIT/hooks/pre-commit',
  'vendor/lib/.git/hooks/post-checkout',
  'innocent/pre-push',
  '.claude/settings.json',
  'src/../.claude/settings.local.json',
  '.groundcontrol/worktree.json',
  '.mcp.json',
  '.envrc',
  '.npmrc',
  'packages/a/.npmrc',
  '.husky/pre-commit',
  '.vscode/tasks.json',
  '.github/workflows/ci.yml',
  '../outside.ts',
])('acceptEdits asks about an edit of %s', (path) => expect(edit(path)).toBe('ask'));
