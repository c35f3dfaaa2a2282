import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A repository with one commit, removed with the test. `home` is where git finds its identity. */
export function makeProject(home: string, files: Record<string, string>) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gc-project-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return makeRepository(folder, home, files);
}

/** Turns a folder into a repository with one commit. */
export function makeRepository(folder: string, home: string, files: Record<string, string>) {
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Tester\n\temail = tester@example.com\n');
  const env = { PATH: process.env.PATH ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' }).trim();
  const write = (path: string, text: string, cwd = folder) => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  git('init', '-q', '-b', 'main');
  for (const [path, text] of Object.entries(files)) write(path, text);
  git('add', '-A');
  git('commit', '-q', '-m', 'Start');
  return { folder, git, write };
}
