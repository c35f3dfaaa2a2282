import { createHash } from 'node:crypto';
import { readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { WorktreeBase } from '../../contract/worktrees.ts';
import { WorktreeRefused } from './errors.ts';
import { type Git, SUBMODULES, splitZero, toCount } from './git.ts';

export interface Repository {
  /** The main checkout, or the folder of a bare repository. */
  root: string;
  /** The shared git folder. */
  commonDir: string;
  isBare: boolean;
}

/** The repository that contains a folder, in whichever worktree the folder is. */
export async function findRepository(git: Git, folder: string): Promise<Repository> {
  const isFolder = isAbsolute(folder) && (await stat(folder).catch(() => undefined))?.isDirectory();
  if (!isFolder) throw new WorktreeRefused('no_project', `${folder} isn't a folder. Give the path of a repository.`);
  const asked = ['rev-parse', '--git-common-dir', '--is-bare-repository'];
  const found = await git(asked, { cwd: folder, accept: [128], isAboutRepository: true });
  if (found.code !== 0)
    throw new WorktreeRefused('no_repository', `${folder} isn't in a git repository. Use a scratch folder instead.`);
  const [common = '', bare] = found.text.split('\n');
  const commonDir = await realpath(resolve(folder, common));
  const isBare = bare === 'true' || (await readBool(git, commonDir));
  const root = isBare ? commonDir : basename(commonDir) === '.git' ? dirname(commonDir) : await topLevel(git, folder);
  return { root: await realpath(root), commonDir, isBare };
}

/** In a worktree of a bare repository, git reports that it isn't bare. */
async function readBool(git: Git, commonDir: string): Promise<boolean> {
  const { text } = await git(['config', '--type=bool', '--default=false', 'core.bare'], {
    cwd: commonDir,
    isAboutRepository: true,
  });
  return text.trim() === 'true';
}

async function topLevel(git: Git, folder: string): Promise<string> {
  return (await git(['rev-parse', '--show-toplevel'], { cwd: folder })).text.trim();
}

/** A readable, unique name for a repository. Lowercase, since some file systems ignore case. */
export function folderFor({ root }: Repository): string {
  const hash = createHash('sha256').update(root.toLowerCase()).digest('hex').slice(0, 8);
  const name =
    basename(root)
      .toLowerCase()
      .replaceAll(/[^a-z0-9._-]+/g, '-') || 'repository';
  return `${name.replace(/^\.+/, '').slice(0, 40)}-${hash}`;
}

/** The commit that a ref points to; undefined: there is none. */
export async function findCommit(git: Git, cwd: string, ref: string): Promise<string | undefined> {
  // a ref that starts with a hyphen would be read as an option
  if (ref.startsWith('-')) return undefined;
  const { code, text } = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], {
    cwd,
    accept: [1, 128],
  });
  return code === 0 ? text.trim() : undefined;
}

export async function hasBranch(git: Git, cwd: string, branch: string): Promise<boolean> {
  const { code } = await git(['show-ref', '--verify', '--quiet', `refs/heads/${branch}`], { cwd, accept: [1] });
  return code === 0;
}

/** What a worktree starts from, and what it will lack. */
export async function resolveBase(git: Git, { root, isBare }: Repository, ref: string): Promise<WorktreeBase> {
  const commit = await findCommit(git, root, ref);
  if (commit === undefined) {
    const isEmpty = (await findCommit(git, root, 'HEAD')) === undefined;
    const why = isEmpty
      ? `${root} has no commits yet. Make one first.`
      : `${root} has no branch, tag or commit ${ref}.`;
    throw new WorktreeRefused('no_base', why);
  }
  const [branch, uncommitted, commits, behind] = await Promise.all([
    findLocalBranch(git, root, ref),
    isBare ? 0 : countUncommitted(git, root),
    isBare ? 0 : git(['rev-list', '--count', 'HEAD', `^${commit}`], { cwd: root }).then(toCount),
    countBehind(git, root, ref, commit),
  ]);
  return { ref, branch, commit, missing: { uncommitted, commits, behind } };
}

/** The branch that work on this base would be merged into. */
async function findLocalBranch(git: Git, cwd: string, ref: string): Promise<string | null> {
  const { text } = await git(['rev-parse', '--symbolic-full-name', '--end-of-options', ref], { cwd, accept: [128] });
  const name = text.trim().split('\n').at(-1) ?? '';
  if (name.startsWith('refs/heads/')) return name.slice('refs/heads/'.length);
  const [, remote] = /^refs\/remotes\/[^/]+\/(.+)$/.exec(name) ?? [];
  return remote !== undefined && (await hasBranch(git, cwd, remote)) ? remote : null;
}

async function countUncommitted(git: Git, cwd: string): Promise<number> {
  const { text } = await git(['status', '--porcelain=v1', '-z', '--no-renames', SUBMODULES], { cwd });
  return splitZero(text).length;
}

async function countBehind(git: Git, cwd: string, ref: string, commit: string): Promise<number | null> {
  const { code, text } = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}@{upstream}`], {
    cwd,
    accept: [1, 128],
  });
  if (code !== 0) return null;
  return toCount(await git(['rev-list', '--count', text.trim(), `^${commit}`], { cwd }));
}

export interface ListedWorktree {
  path: string;
  head: string | null;
  branch: string | null;
  /** null: it isn't locked. */
  lock: string | null;
  isBare: boolean;
}

/** Every worktree the repository knows, main checkout first. */
export async function listRepositoryWorktrees(git: Git, cwd: string): Promise<ListedWorktree[]> {
  const { text } = await git(['worktree', 'list', '--porcelain', '-z'], { cwd, isAboutRepository: true });
  return text
    .split('\0\0')
    .filter((block) => block !== '')
    .map((block) => {
      const fields = new Map(
        block.split('\0').map((line) => {
          const at = line.indexOf(' ');
          return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
        }),
      );
      return {
        path: fields.get('worktree') ?? '',
        head: fields.get('HEAD') ?? null,
        branch: fields.get('branch')?.replace(/^refs\/heads\//, '') ?? null,
        lock: fields.get('locked') ?? null,
        isBare: fields.has('bare'),
      };
    });
}

/** The checkout of this branch; undefined: it isn't checked out. */
export async function checkoutOf(git: Git, cwd: string, branch: string): Promise<string | undefined> {
  return (await listRepositoryWorktrees(git, cwd)).find((one) => one.branch === branch)?.path;
}

const OPERATIONS: [file: string, name: string][] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
];

/** An unfinished operation in a checkout. */
export async function unfinishedOperation(git: Git, cwd: string): Promise<string | null> {
  const { text } = await git(['rev-parse', '--absolute-git-dir'], { cwd });
  for (const [file, name] of OPERATIONS) if (await stat(join(text.trim(), file)).catch(() => undefined)) return name;
  return null;
}

/** Git writes the path of the stand-in into the new checkout. Replace it with the path of the repository. */
export async function addWorktree(
  git: Git,
  args: readonly string[],
  { cwd, path }: { cwd: string; path: string },
): Promise<void> {
  await git(['worktree', 'add', ...args], { cwd });
  const link = join(path, '.git');
  const [, gitDir = ''] = /^gitdir: (.+)/.exec(await readFile(link, 'utf8')) ?? [];
  await writeFile(link, `gitdir: ${await realpath(resolve(path, gitDir.trim()))}\n`);
}
