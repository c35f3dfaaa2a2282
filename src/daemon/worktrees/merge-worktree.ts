import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MergeRequest, MergeStrategy, Worktree } from '../../contract/worktrees.ts';
import { type CheckoutTree, readCheckout } from './checkout-tree.ts';
import { startOf } from './diff-worktree.ts';
import { WorktreeRefused } from './errors.ts';
import { type Git, GitFailed } from './git.ts';
import { countTrackedChanges, requireBranch, tryMerge } from './merge-check.ts';
import { addWorktree, checkoutOf, unfinishedOperation } from './repository.ts';

interface Places {
  git: Git;
  /** For indexes and the temporary worktree of a rebase. */
  scratch: string;
}

export interface MergeOutcome {
  into: string;
  commit: string;
  strategy: MergeStrategy;
  head: string;
}

/**
 * Merges everything in a worktree, uncommitted work included, into a branch. The new commits are created outside both checkouts. Only then
 * does the branch move, and the checkout that has it is updated. The worktree itself is never touched.
 */
export async function mergeWorktree(
  { git, scratch }: Places,
  worktree: Worktree,
  { strategy, into = worktree.base?.branch ?? undefined, message, tree }: MergeRequest,
): Promise<MergeOutcome> {
  const cwd = worktree.path;
  if (into === undefined) throw new WorktreeRefused('no_target', `Choose the branch to merge ${worktree.name} into.`);
  const operation = await unfinishedOperation(git, cwd);
  if (operation !== null)
    throw new WorktreeRefused('unfinished', `A ${operation} is unfinished in ${cwd}. Finish or abort it there first.`);
  const target = await requireBranch(git, cwd, into);
  const checkout = await checkoutOf(git, cwd, into);
  if (checkout === cwd) throw new WorktreeRefused('same_branch', `${worktree.name} is on ${into} itself.`);
  if (checkout !== undefined) await checkBase(git, checkout, into);
  const now = await readCheckout(git, { cwd, scratch });
  if (tree !== undefined && tree !== now.tree)
    throw new WorktreeRefused('changed', `${worktree.name} has changed since you reviewed it. Check the diff again.`);
  const title = message?.trim() || `Merge ${worktree.name}`;
  const head = await commitCheckout(git, { cwd, now, message: title });
  const { tree: merged, conflicts } = await tryMerge(git, { cwd, target, commit: head });
  if (conflicts.length > 0) throw new MergeConflicts(worktree.name, into, conflicts);
  const targetTree = (await git(['rev-parse', `${target}^{tree}`], { cwd })).text.trim();
  if (merged === targetTree)
    throw new WorktreeRefused('nothing', `${into} already has everything in ${worktree.name}.`);
  const commit =
    strategy === 'rebase'
      ? await rebase({ git, scratch }, { worktree, target, head, into })
      : await commitTree(git, {
          cwd,
          tree: merged,
          parents: strategy === 'squash' ? [target] : [target, head],
          message: title,
        });
  await moveBranch(git, { cwd, checkout, branch: into, from: target, to: commit });
  return { into, commit, strategy, head };
}

async function checkBase(git: Git, checkout: string, into: string): Promise<void> {
  const operation = await unfinishedOperation(git, checkout);
  if (operation !== null)
    throw new WorktreeRefused('base_unfinished', `A ${operation} is unfinished in ${checkout}, which has ${into}.`);
  const changes = await countTrackedChanges(git, checkout);
  if (changes === 0) return;
  const files = changes === 1 ? '1 file' : `${changes} files`;
  throw new WorktreeRefused(
    'base_dirty',
    `${checkout} is on ${into} and has uncommitted changes in ${files}. Commit or stash them first.`,
  );
}

/** The checkout's HEAD, or a commit on top of it if there is uncommitted work. */
export async function commitCheckout(
  git: Git,
  { cwd, now, message }: { cwd: string; now: CheckoutTree; message: string },
): Promise<string> {
  const committed = (await git(['rev-parse', `${now.head}^{tree}`], { cwd })).text.trim();
  return committed === now.tree ? now.head : commitTree(git, { cwd, tree: now.tree, parents: [now.head], message });
}

async function commitTree(
  git: Git,
  { cwd, tree, parents, message }: { cwd: string; tree: string; parents: string[]; message: string },
): Promise<string> {
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'];
  try {
    return (await git(args, { cwd, input: `${message}\n` })).text.trim();
  } catch (error) {
    if (error instanceof GitFailed && /tell me who you are|empty ident/i.test(error.stderr))
      throw new WorktreeRefused(
        'no_identity',
        'git doesn\'t know who you are. Set it: git config --global user.name "…" and user.email "…"',
      );
    throw error;
  }
}

/** Rebases in a separate worktree, so that it never interferes with an agent's own rebase. */
async function rebase(
  { git, scratch }: Places,
  { worktree, target, head, into }: { worktree: Worktree; target: string; head: string; into: string },
): Promise<string> {
  const cwd = worktree.path;
  const from = await startOf(git, worktree, head);
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const place = join(scratch, `rebase-${worktree.id}`);
  await dropWorktree(git, cwd, place);
  try {
    await addWorktree(git, ['--detach', place, head], { cwd, path: place });
    const rebased = await git(['rebase', '--onto', target, from], { cwd: place, accept: [1] });
    if (rebased.code !== 0) {
      const { text } = await git(['diff', '--name-only', '--diff-filter=U', '-z', '--ignore-submodules=all'], {
        cwd: place,
      });
      throw new MergeConflicts(worktree.name, into, text.split('\0').filter(Boolean), 'A commit in between conflicts.');
    }
    return (await git(['rev-parse', 'HEAD'], { cwd: place })).text.trim();
  } finally {
    await dropWorktree(git, cwd, place);
  }
}

/** Removes one of our temporary worktrees, which holds nothing of value. */
export async function dropWorktree(git: Git, cwd: string, place: string): Promise<void> {
  const remove = () => git(['worktree', 'remove', '--force', '--force', place], { cwd, accept: [128] });
  await remove();
  await rm(place, { recursive: true, force: true });
  // git refuses a half-created worktree, and prunes it from its list once the folder is gone
  await remove();
}

async function moveBranch(
  git: Git,
  {
    cwd,
    checkout,
    branch,
    from,
    to,
  }: { cwd: string; checkout: string | undefined; branch: string; from: string; to: string },
): Promise<void> {
  if (checkout === undefined) {
    // only if it hasn't moved in the meantime
    await git(['update-ref', '-m', 'gctl: merge', `refs/heads/${branch}`, to, from], { cwd });
    return;
  }
  const tip = (await git(['rev-parse', 'HEAD'], { cwd: checkout })).text.trim();
  if (tip !== from) throw new WorktreeRefused('base_moved', `${branch} moved in the meantime. Try again.`);
  // refuses to overwrite uncommitted files
  await git(['merge', '--ff-only', '--no-stat', '--quiet', to], { cwd: checkout });
}

class MergeConflicts extends WorktreeRefused {
  constructor(name: string, into: string, conflicts: string[], more = '') {
    const some = conflicts.slice(0, 5).join(', ') + (conflicts.length > 5 ? `, and ${conflicts.length - 5} more` : '');
    const why = more === '' ? '' : ` ${more}`;
    super(
      'conflicts',
      `${name} conflicts with ${into} in ${some}.${why} Ask the agent to merge ${into} into its branch.`,
      {
        conflicts,
      },
    );
  }
}
