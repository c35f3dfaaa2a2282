import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NativeTools, openNativeTools } from '../../../test/kit/native-tools.ts';
import { gitFoldersOf } from './git-folders.ts';

const isLinux = process.platform === 'linux';

describe.runIf(isLinux)('sandbox in a linked worktree', () => {
  let repository: string;
  let native: NativeTools;
  const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, stdio: 'pipe' }).toString();
  const boxed = (command: string) => native.call('Bash', { command, sandbox: true, timeout: 30_000 });

  beforeAll(async () => {
    repository = await realpath(await mkdtemp(join(tmpdir(), 'gc-repo-')));
    git(repository, 'init', '-q', '-b', 'main');
    git(repository, 'config', 'user.email', 'a@b.c');
    git(repository, 'config', 'user.name', 'x');
    git(repository, 'commit', '-q', '--allow-empty', '-m', 'first');
    native = await openNativeTools({ env: process.env });
    await rm(native.folder, { recursive: true });
    git(repository, 'worktree', 'add', '-q', native.folder, '-b', 'side');
    git(repository, 'worktree', 'add', '-q', join(repository, 'other'), '-b', 'other');
  });
  afterAll(async () => {
    await native.close();
    await rm(repository, { recursive: true, force: true });
  });

  it('commits even though the repository is elsewhere', async () => {
    const answer = await boxed(
      'echo hello > note.txt && git add note.txt && git commit -qm note && git log --oneline | wc -l',
    );
    expect(answer).toMatchObject({ isError: false, text: '2' });
    expect(git(repository, 'log', '--oneline', 'side')).toContain('note');
  });

  it.each([
    ['hooks', 'echo evil > "$REPO/.git/hooks/pre-commit"'],
    ['the config', 'git config core.fsmonitor evil'],
    [
      'the config by rename',
      'cp "$REPO/.git/config" "$REPO/.git/c" && echo evil >> "$REPO/.git/c" && mv "$REPO/.git/c" "$REPO/.git/config"',
    ],
    ['the repository folder by rename', 'mv "$REPO/.git" "$REPO/git2"'],
    ['the branch of the main checkout', 'echo "ref: refs/heads/side" > "$REPO/.git/HEAD"'],
    ['another worktree', 'echo x > "$REPO/.git/worktrees/other/HEAD"'],
    ['files of the main checkout', 'echo x > "$REPO/file"'],
    ['the link to the repository', 'echo "gitdir: /elsewhere" > .git || mv .git .git2'],
  ])('keeps a command from changing %s', async (_, command) => {
    const before = readFileSync(join(repository, '.git', 'config'), 'utf8');
    expect(await boxed(`REPO='${repository}'; ${command}`)).toMatchObject({ isError: true });
    expect(readFileSync(join(repository, '.git', 'config'), 'utf8')).toBe(before);
    expect(readdirSync(join(repository, '.git', 'hooks'))).not.toContain('pre-commit');
    expect(readFileSync(join(repository, '.git', 'HEAD'), 'utf8')).toContain('main');
    expect(existsSync(join(native.folder, '.git'))).toBe(true);
  });

  it('refuses a repository that does not name this worktree', async () => {
    const fake = await realpath(await mkdtemp(join(tmpdir(), 'gc-fake-')));
    writeFileSync(join(fake, '.git'), `gitdir: ${join(repository, '.git/worktrees/other')}\n`);
    expect(gitFoldersOf(fake)).toEqual({ writable: [], readOnly: [] });
    expect(gitFoldersOf(native.folder).writable[0]).toBe(join(repository, '.git'));
    await rm(fake, { recursive: true });
  });
});

it.runIf(isLinux)('keeps a command from creating a missing hooks folder', async () => {
  const native = await openNativeTools({ env: process.env });
  execFileSync('git', ['init', '-q', '--template='], { cwd: native.folder });
  const answer = await native.call('Bash', {
    command: 'mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit',
    sandbox: true,
  });
  expect(existsSync(join(native.folder, '.git/hooks/pre-commit'))).toBe(false);
  expect(answer.isError).toBe(true);
  await native.close();
});
