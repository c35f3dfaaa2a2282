import type { MergeCheck } from '../../contract/worktrees.ts';
import { WorktreeRefused } from './errors.ts';
import { type Git, SUBMODULES, splitZero } from './git.ts';
import { checkoutOf, findCommit } from './repository.ts';

export interface TriedMerge {
  tree: string;
  conflicts: string[];
}

/** Merges two commits without touching a checkout. */
export async function tryMerge(
  git: Git,
  {
    cwd,
    target,
    commit,
    env,
  }: { cwd: string; target: string; commit: string; env?: Record<string, string> | undefined },
): Promise<TriedMerge> {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', target, commit];
  const { code, text } = await git(args, { cwd, env, accept: [1] });
  const [tree = '', ...conflicts] = splitZero(text);
  // 1 means a conflict, but also an unknown commit; in that case git prints nothing
  if (tree === '') throw new WorktreeRefused('merge_unknown', `git can't merge ${commit} into ${target}.`);
  return { tree, conflicts: code === 0 ? [] : [...new Set(conflicts)] };
}

/** Whether the target already has all changes of the commit: merged, rebased or squashed. */
export async function isContained(
  git: Git,
  merging: { cwd: string; target: string; commit: string; env?: Record<string, string> | undefined },
): Promise<boolean> {
  const { cwd, target } = merging;
  const { tree, conflicts } = await tryMerge(git, merging);
  if (conflicts.length > 0) return false;
  const { text } = await git(['rev-parse', `${target}^{tree}`], { cwd });
  return text.trim() === tree;
}

/** What merging a commit into a branch would do. */
export async function checkMerge(
  git: Git,
  { cwd, into, commit, env }: { cwd: string; into: string; commit: string; env?: Record<string, string> | undefined },
): Promise<MergeCheck> {
  const target = await requireBranch(git, cwd, into);
  const { tree, conflicts } = await tryMerge(git, { cwd, target, commit, env });
  const { text } = await git(['rev-parse', `${target}^{tree}`], { cwd });
  const outcome = conflicts.length > 0 ? 'conflicts' : tree === text.trim() ? 'nothing' : 'clean';
  const checkout = await checkoutOf(git, cwd, into);
  return { into, outcome, conflicts, baseDirty: checkout === undefined ? 0 : await countTrackedChanges(git, checkout) };
}

/** The commit of a local branch. */
export async function requireBranch(git: Git, cwd: string, branch: string): Promise<string> {
  const commit = await findCommit(git, cwd, `refs/heads/${branch}`);
  if (commit === undefined) throw new WorktreeRefused('no_branch', `There is no local branch ${branch}.`);
  return commit;
}

/** Untracked files don't count: git refuses to overwrite them. */
export async function countTrackedChanges(git: Git, cwd: string): Promise<number> {
  const { text } = await git(['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=no', SUBMODULES], {
    cwd,
  });
  return splitZero(text).length;
}
