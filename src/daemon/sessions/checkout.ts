import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

export interface Checkout {
  /** The project: the repository's main checkout, wherever its worktrees are. */
  root: string;
  /** The checkout around the folder: the root itself, or one of its worktrees. */
  checkout: string;
  branch: string | null;
}

/** The repository around a folder and its branch, read from the files: no git program, no lock taken. */
export async function findCheckout(cwd: string): Promise<Checkout | undefined> {
  for (let folder = cwd; isAbsolute(folder); folder = dirname(folder)) {
    const gitDir = await gitDirOf(join(folder, '.git'));
    if (gitDir) {
      const repository = await repositoryOf(gitDir, folder);
      return { root: repository ? rootOf(repository) : folder, checkout: folder, branch: await branchOf(gitDir) };
    }
    if (folder === dirname(folder)) return undefined;
  }
  return undefined;
}

/** The main checkout of the repository a folder is a worktree of. A bare repository has none. */
export async function findMainCheckout(checkout: string): Promise<string | undefined> {
  const gitDir = await gitDirOf(join(checkout, '.git'));
  const repository = gitDir && (await repositoryOf(gitDir, checkout));
  return repository && basename(repository) === '.git' ? dirname(repository) : undefined;
}

/** `.git` is a folder, or in a worktree or submodule a file that names one. */
async function gitDirOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return undefined;
  if (found.isDirectory()) return path;
  const [, named] = /^gitdir: (.+)/.exec(await readLine(path)) ?? [];
  return named ? resolve(dirname(path), named.trim()) : undefined;
}

/**
 * A worktree's repository. Anyone can write a `.git` file that names someone else's repository to get that project's rules, so the
 * repository must name the worktree, too.
 */
async function repositoryOf(gitDir: string, checkout: string): Promise<string | undefined> {
  const common = await readLine(join(gitDir, 'commondir'));
  if (!common) return undefined;
  const named = await readLine(join(gitDir, 'gitdir'));
  const isNamed = named !== '' && (await isSameFile(resolve(gitDir, named), join(checkout, '.git')));
  return isNamed ? resolve(gitDir, common) : undefined;
}

/** A bare repository is often kept in a hidden folder next to its worktrees. */
function rootOf(repository: string): string {
  return basename(repository).startsWith('.') ? dirname(repository) : repository;
}

async function isSameFile(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all([a, b].map((path) => realpath(path).catch(() => undefined)));
  return left !== undefined && left === right;
}

async function branchOf(gitDir: string): Promise<string | null> {
  const head = await readLine(join(gitDir, 'HEAD'));
  const [, branch] = /^ref: refs\/heads\/(.+)/.exec(head) ?? [];
  return branch ?? (head ? head.slice(0, 8) : null);
}

/** Empty if there is none. */
async function readLine(path: string): Promise<string> {
  return (await readFile(path, 'utf8').catch(() => '')).trim();
}
