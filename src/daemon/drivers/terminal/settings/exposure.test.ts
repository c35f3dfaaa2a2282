import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { findExposure } from './exposure.ts';
import { tempDir } from './temp-dir-for-test.ts';

let dotfiles: string;
let file: string;

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], {
    cwd: dotfiles,
    env: { PATH: process.env.PATH, HOME: dotfiles, GIT_CONFIG_NOSYSTEM: '1' },
    stdio: 'ignore',
  });

beforeEach(() => {
  dotfiles = realpathSync(tempDir('dotfiles'));
  mkdirSync(join(dotfiles, 'claude'));
  file = join(dotfiles, 'claude', 'settings.json');
  writeFileSync(file, '{}\n');
});

test('warns about settings in a git repository, even behind a link, and says how to keep the token out', async () => {
  expect(await findExposure(file)).toBeUndefined();
  git('init', '-q');
  expect(await findExposure(file)).toContain(`add it to ${dotfiles}/.gitignore`);
  git('add', '.');
  git('commit', '-qm', 'Start');
  const link = join(tempDir('home'), 'settings.json');
  symlinkSync(file, link);
  for (const path of [file, link]) {
    const warning = await findExposure(path);
    expect(warning).toContain(`${file} is in the git repository ${dotfiles} and contains the hook token`);
    expect(warning).toContain(`git -C ${dotfiles} update-index --skip-worktree ${file}`);
  }
  git('update-index', '--skip-worktree', file);
  expect(await findExposure(file)).toBeUndefined();
});

test('does not warn about settings that git ignores', async () => {
  git('init', '-q');
  writeFileSync(join(dotfiles, '.gitignore'), 'settings.json\n');
  expect(await findExposure(file)).toBeUndefined();
});
