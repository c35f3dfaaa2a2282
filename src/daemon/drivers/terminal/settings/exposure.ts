import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { findCheckout } from '../../../sessions/checkout.ts';
import { SAFE_ARGS } from '../../../worktrees/git.ts';

/**
 * The warning if the settings are in a git repository, as dotfiles often are: while our hooks are there, its diff shows our token. The
 * client fills headers only from its own environment, so an HTTP hook's token can't be anywhere else.
 */
export async function findExposure(path: string): Promise<string | undefined> {
  const file = await realpath(path).catch(() => path);
  const place = await findCheckout(dirname(file));
  if (!place || !(await isExposed(file))) return undefined;
  const isTracked = (await git(['ls-files', '--error-unmatch', file], dirname(file))) === 0;
  const remedy = isTracked
    ? `git -C ${place.checkout} update-index --skip-worktree ${file}`
    : `add it to ${place.checkout}/.gitignore`;
  return `${file} is in the git repository ${place.checkout} and contains the hook token while the daemon runs (it can only post hooks on this machine). To keep it out of diffs and commits: ${remedy}`;
}

/** Whether git would show a file's content. Without git, or outside a repository, it can't be exposed that way. */
export async function isExposed(file: string): Promise<boolean> {
  return (await git(['check-ignore', '-q', file], dirname(file))) === 1 && !(await isSkipped(file));
}

/** Marked with `skip-worktree`: git ignores it. */
async function isSkipped(file: string): Promise<boolean> {
  const { stdout } = await run('git', [...SAFE_ARGS, 'ls-files', '-v', file], { cwd: dirname(file) }).catch(() => ({
    stdout: '',
  }));
  return stdout.startsWith('S ');
}

/** The exit code. undefined: no git, or no such folder. */
async function git(args: string[], cwd: string): Promise<number | undefined> {
  return run('git', [...SAFE_ARGS, ...args], { cwd }).then(
    () => 0,
    (error: { code?: unknown }) => (typeof error.code === 'number' ? error.code : undefined),
  );
}

const run = promisify(execFile);
