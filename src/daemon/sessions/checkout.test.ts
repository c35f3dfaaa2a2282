import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { findCheckout, findMainCheckout } from './checkout.ts';

let folder: string;
let app: string;

function git(cwd: string, ...args: string[]): void {
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  const who = ['-c', 'user.name=x', '-c', 'user.email=x@example.com', '-c', 'init.defaultBranch=main'];
  execFileSync('git', [...who, '-c', 'protocol.file.allow=always', ...args], { cwd, env, stdio: 'ignore' });
}

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gc-place-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  app = join(folder, 'app');
  mkdirSync(join(app, 'src'), { recursive: true });
  git(app, 'init', '-q');
  git(app, 'commit', '-q', '--allow-empty', '-m', 'start');
});

test('finds the repository around a folder', async () => {
  expect(await findCheckout(join(app, 'src'))).toEqual({ root: app, checkout: app, branch: 'main' });
  expect(await findCheckout(folder)).toBeUndefined();
});

test.each(['../app-feature', '.claude/worktrees/feature'])(
  "counts the worktree %s to its repository's project",
  async (path) => {
    git(app, 'worktree', 'add', '-q', '-b', 'feature', path);
    const checkout = join(app, path);
    mkdirSync(join(checkout, 'deep'));
    expect(await findCheckout(join(checkout, 'deep'))).toEqual({ root: app, checkout, branch: 'feature' });
    expect(await findMainCheckout(checkout)).toBe(app);
  },
);

test('finds the project of a worktree that was moved', async () => {
  git(app, 'worktree', 'add', '-q', '-b', 'feature', '../one');
  git(app, 'worktree', 'move', '../one', '../two');
  expect(await findCheckout(join(folder, 'two'))).toMatchObject({ root: app, branch: 'feature' });
});

test.each([
  ['app.git', 'app.git'],
  ['bench/.bare', 'bench'],
])('counts worktrees of the bare repository %s to one project', async (bare, project) => {
  git(folder, 'clone', '-q', '--bare', app, bare);
  for (const branch of ['one', 'two']) {
    git(join(folder, bare), 'worktree', 'add', '-q', '-b', branch, join(folder, 'trees', branch));
    const checkout = join(folder, 'trees', branch);
    expect(await findCheckout(checkout)).toEqual({ root: join(folder, project), checkout, branch });
    expect(await findMainCheckout(checkout)).toBeUndefined();
  }
});

test('treats a submodule as its own project', async () => {
  const lib = join(folder, 'lib');
  mkdirSync(lib);
  git(lib, 'init', '-q');
  git(lib, 'commit', '-q', '--allow-empty', '-m', 'start');
  git(app, 'submodule', '--quiet', 'add', lib, 'vendor/lib');
  const checkout = join(app, 'vendor', 'lib');
  expect(await findCheckout(checkout)).toMatchObject({ root: checkout, checkout });
});

test('ignores a folder that only claims to be a worktree', async () => {
  git(app, 'worktree', 'add', '-q', '-b', 'feature', '../real');
  const stranger = join(folder, 'stranger');
  mkdirSync(stranger);
  writeFileSync(join(stranger, '.git'), readFileSync(join(folder, 'real', '.git')));
  expect(await findCheckout(stranger)).toMatchObject({ root: stranger, checkout: stranger });
});
