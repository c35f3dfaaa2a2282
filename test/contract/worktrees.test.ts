import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startTestDaemon } from '../kit/test-daemon.ts';

test("a worktree session belongs to its repository's project and follows its rules and policy", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gc-worktree-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const app = join(folder, 'app');
  const worktree = join(folder, 'app-feature');
  mkdirSync(app);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], {
      cwd: app,
      env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: 'ignore',
    });
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'Start');
  git('worktree', 'add', '-q', '-b', 'feature', worktree);

  const daemon = await startTestDaemon();
  onTestFinished(daemon.dispose);
  await daemon.call('PUT', '/api/policies', { body: { project: '', policy: 'ask' } });
  await daemon.call('PUT', '/api/policies', { body: { project: app, policy: 'observe' } });
  await daemon.call('POST', '/api/rules', {
    body: {
      scope: 'project',
      project: app,
      pattern: { toolName: 'Bash', parameters: { command: 'npm run *' } },
      decision: 'allow',
    },
  });
  await daemon.hook({ session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt: 'Work', cwd: worktree });
  await expect
    .poll(() => daemon.session('s1'))
    .toMatchObject({ projectDisplayName: 'app', projectPath: app, cwd: worktree, gitBranch: 'feature' });

  const call = (command: string, cwd: string) =>
    daemon.hook({
      session_id: 's1',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command },
      cwd,
    });
  expect((await call('npm run test', worktree)).json.hookSpecificOutput).toMatchObject({ permissionDecision: 'allow' });
  // the project only observes, so its worktree doesn't ask either
  expect((await call('ls', worktree)).json).toEqual({});
  // an allow does not extend to folders next to the worktree
  expect((await call('npm run test', folder)).json).toEqual({});
});
