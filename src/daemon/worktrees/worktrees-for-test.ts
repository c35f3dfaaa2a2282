import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pino from 'pino';
import { onTestFinished } from 'vitest';
import { Core } from '../core.ts';
import { Worktrees } from './worktrees.ts';

/** A home in which git has an identity, isolated from the person who runs the tests. */
export function gitEnv(home: string): Record<string, string> {
  mkdirSync(home, { recursive: true });
  const config = '[user]\n\tname = Tester\n\temail = tester@example.com\n[init]\n\tdefaultBranch = main\n';
  writeFileSync(join(home, '.gitconfig'), config);
  return { PATH: process.env.PATH ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
}

/** A repository with one commit, and git as a person would run it there. */
export function makeRepository(folder: string, name = 'app') {
  const env = gitEnv(join(folder, 'home'));
  const root = join(folder, name);
  mkdirSync(root, { recursive: true });
  const git = (args: string[], cwd = root) =>
    execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: 'pipe' }).trim();
  const write = (path: string, text: string, cwd = root) => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  const commit = (message: string, cwd = root) => {
    git(['add', '-A'], cwd);
    git(['commit', '-q', '-m', message], cwd);
  };
  git(['init', '-q', '-b', 'main']);
  write('a.txt', 'one\ntwo\nthree\n');
  write('.gitignore', '.env\nnode_modules/\n*.sqlite\n');
  commit('Start');
  return { root: realpathSync(root), env, git, write, commit };
}

/** Worktrees on their own data dir, next to a repository. */
export function setUpWorktrees({ folder = newFolder(), name }: { folder?: string; name?: string } = {}) {
  const repository = makeRepository(folder, name);
  const open = () => {
    const core = new Core({
      path: join(folder, 'journal.db'),
      now: Date.now,
      log: pino({ level: 'silent' }),
      checksEvents: true,
    });
    const errors: unknown[] = [];
    const worktrees = new Worktrees({
      core,
      dataDir: join(folder, 'data'),
      env: repository.env,
      now: Date.now,
      onError: (error) => errors.push(error),
    });
    return { core, worktrees, errors };
  };
  mkdirSync(join(folder, 'data'), { recursive: true });
  const opened = open();
  onTestFinished(async () => {
    await opened.worktrees.stop();
    opened.core.close();
  });
  const create = (worktreeName: string, more: { base?: string; setup?: 'run' | 'skip' } = {}) =>
    opened.worktrees.create(
      { project: repository.root, name: worktreeName, base: 'HEAD', setup: 'run', ...more },
      'test',
    );
  return { ...opened, ...repository, folder, open, create };
}

export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gc-worktrees-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
