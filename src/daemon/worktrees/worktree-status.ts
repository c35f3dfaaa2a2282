import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { MergeCheck, Removal, Worktree, WorktreeStatus } from '../../contract/worktrees.ts';
import { listSubmodules, makeQuarantine, readCheckout } from './checkout-tree.ts';
import { startOf } from './diff-worktree.ts';
import { type Git, OUR_IDENTITY, SUBMODULES, splitZero, toCount } from './git.ts';
import { forShow, sortIgnored } from './ignored-files.ts';
import { checkMerge, isContained } from './merge-check.ts';
import { findCommit, unfinishedOperation } from './repository.ts';

interface Files {
  head: string;
  headBranch: string | null;
  changed: number;
  untracked: number;
  conflicted: number;
  /** How many of `changed` are submodules with their own changes, which no tree of this repository contains. */
  submodules: number;
}

/** Reads the state of a checkout without taking git's locks: an agent may be working in it. */
export async function readFiles(git: Git, cwd: string): Promise<Files> {
  const args = ['status', '--porcelain=v2', '-z', '--branch', '--untracked-files=normal', SUBMODULES];
  const { text } = await git(args, { cwd });
  const files: Files = { head: '', headBranch: null, changed: 0, untracked: 0, conflicted: 0, submodules: 0 };
  const lines = splitZero(text);
  const movedOn = new Set<string>();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const [, moved] = /^1 .. S\S* (?:\S+ ){5}(.+)$/s.exec(line) ?? [];
    if (moved !== undefined) movedOn.add(moved);
    if (line.startsWith('# branch.oid ')) files.head = line.slice('# branch.oid '.length);
    else if (line.startsWith('# branch.head ')) {
      const name = line.slice('# branch.head '.length);
      files.headBranch = name === '(detached)' ? null : name;
    } else if (line.startsWith('1 ')) files.changed += 1;
    else if (line.startsWith('2 ')) {
      files.changed += 1;
      // the old name of a rename is a separate field
      at += 1;
    } else if (line.startsWith('u ')) files.conflicted += 1;
    else if (line.startsWith('? ')) files.untracked += 1;
  }
  const dirty = await findDirtySubmodules(git, cwd);
  const unlisted = dirty.filter((path) => !movedOn.has(path));
  return { ...files, changed: files.changed + unlisted.length, submodules: movedOn.size + unlisted.length };
}

async function findDirtySubmodules(git: Git, cwd: string): Promise<string[]> {
  const dirty: string[] = [];
  for (const path of await initializedSubmodules(git, cwd)) {
    const { changed, untracked, conflicted } = await readFiles(git, join(cwd, path));
    if (changed + untracked + conflicted > 0) dirty.push(path);
  }
  return dirty;
}

/** Submodules that are checked out. */
export async function initializedSubmodules(git: Git, cwd: string): Promise<string[]> {
  const links = await listSubmodules(git, { cwd });
  const found = links.map(async (path) => ((await stat(join(cwd, path, '.git')).catch(() => undefined)) ? [path] : []));
  return (await Promise.all(found)).flat();
}

export async function readStatus(
  { git, scratch }: { git: Git; scratch: string },
  worktree: Worktree,
): Promise<WorktreeStatus> {
  const cwd = worktree.path;
  const files = await readFiles(git, cwd);
  const { head, submodules: _, ...shown } = files;
  const from = await startOf(git, worktree, head);
  const into = worktree.base?.branch ?? null;
  const tip = into === null ? undefined : await findCommit(git, cwd, `refs/heads/${into}`);
  const target = tip ?? from;
  const [operation, ahead, behind, unpushed, isMerged, ignored] = await Promise.all([
    unfinishedOperation(git, cwd),
    git(['rev-list', '--count', head, `^${target}`], { cwd }).then(toCount),
    git(['rev-list', '--count', target, `^${head}`], { cwd }).then(toCount),
    git(['rev-list', '--count', head, `^${from}`, '--not', '--remotes'], { cwd }).then(toCount),
    isContained(git, { cwd, target, commit: head }),
    sortIgnored(git, cwd),
  ]);
  const merge = into !== null && tip !== undefined ? await checkMerge(git, { cwd, into, commit: head }) : null;
  const known = { head, ...shown, operation, ahead, behind, unpushed, isMerged };
  const isAllMerged =
    countUncommitted(files) > 0 && files.submodules === 0 && isMerged && (await hasAll(git, { cwd, scratch, target }));
  const removal = judgeRemoval(isAllMerged ? { ...known, changed: 0, untracked: 0 } : known, ignored);
  return { ...known, merge: isAllMerged ? merge : withUncommitted(merge, files), removal };
}

const countUncommitted = ({ changed, untracked, conflicted }: Files): number => changed + untracked + conflicted;

/** Whether the target also has the uncommitted changes: after a merge from the page, the files are still here. */
async function hasAll(
  git: Git,
  { cwd, scratch, target }: { cwd: string; scratch: string; target: string },
): Promise<boolean> {
  const quarantine = await makeQuarantine(git, cwd, scratch);
  try {
    const { env } = quarantine;
    const { tree, head } = await readCheckout(git, { cwd, scratch, env });
    const commit = await git(['commit-tree', tree, '-p', head, '-m', 'now'], { cwd, env: { ...env, ...OUR_IDENTITY } });
    return await isContained(git, { cwd, target, commit: commit.text.trim(), env });
  } finally {
    await rm(quarantine.folder, { recursive: true, force: true });
  }
}

/** Uncommitted work is merged too. */
function withUncommitted(merge: MergeCheck | null, files: Files): MergeCheck | null {
  if (merge?.outcome !== 'nothing' || countUncommitted(files) === 0) return merge;
  return { ...merge, outcome: 'clean' };
}

/** Without force, only a worktree whose work is certain to exist elsewhere may be removed. */
export function judgeRemoval(status: Omit<WorktreeStatus, 'merge' | 'removal'>, ignored: Removal['ignored']): Removal {
  const { changed, untracked, conflicted, operation, ahead, unpushed, isMerged } = status;
  const reasons: string[] = [];
  if (operation !== null) reasons.push(`A ${operation} is unfinished.`);
  if (conflicted > 0) reasons.push(`${files(conflicted)} in conflict.`);
  if (changed > 0) reasons.push(`${files(changed)} with uncommitted changes.`);
  if (untracked > 0) reasons.push(`${files(untracked)} that git doesn't track yet.`);
  if (!isMerged && ahead > 0 && unpushed > 0)
    reasons.push(`${unpushed === 1 ? '1 commit is' : `${unpushed} commits are`} neither merged nor pushed.`);
  if (ignored.tooLarge.length > 0)
    reasons.push(`Ignored files too large for a snapshot: ${ignored.tooLarge.slice(0, 5).join(', ')}.`);
  return { isSafe: reasons.length === 0, reasons, ignored: forShow(ignored) };
}

const files = (count: number): string => (count === 1 ? '1 file' : `${count} files`);

export async function isOnDisk(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
