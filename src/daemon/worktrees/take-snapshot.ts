import { chmod, cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Snapshot, Worktree } from '../../contract/worktrees.ts';
import { readCheckout } from './checkout-tree.ts';
import { type Git, OUR_IDENTITY } from './git.ts';
import { copyPaths, forShow, sortIgnored } from './ignored-files.ts';
import { initializedSubmodules, readFiles } from './worktree-status.ts';

const MAX_TIPS = 200;
interface Places {
  git: Git;
  scratch: string;
  /** Where ignored files are kept. Not in the repository, since they may be secrets. */
  snapshots: string;
}

export const refOf = (snapshotId: string): string => `refs/gctl/snap/${snapshotId}`;

/**
 * Keeps everything that would be lost with a worktree: its files and staged changes, commits that no branch has, and ignored files. All but
 * the ignored files are stored in the repository under a separate ref.
 */
export async function takeSnapshot(
  { git, scratch, snapshots }: Places,
  worktree: Worktree,
  { id, at }: { id: string; at: number },
): Promise<Snapshot> {
  const cwd = worktree.path;
  const [files, ignored] = [await readFiles(git, cwd), await sortIgnored(git, cwd)];
  const { tree, head, staged } = await readCheckout(git, { cwd, scratch });
  const lostCommits = await findLostCommits(git, cwd);
  const commit = async (of: string, parents: string[], message: string) => {
    const args = ['commit-tree', of, ...parents.flatMap((parent) => ['-p', parent]), '-m', message];
    return (await git(args, { cwd, env: OUR_IDENTITY })).text.trim();
  };
  const index = staged === null ? [] : [await commit(staged, [head], `What was staged in ${worktree.name}`)];
  const parents = [...new Set([head, ...index, ...lostCommits])];
  const kept = await commit(tree, parents, `Snapshot of ${worktree.name}, taken before it was removed`);
  await git(['update-ref', '-m', 'gctl: snapshot', refOf(id), kept], { cwd });
  const submodules = await initializedSubmodules(git, cwd);
  await keepFiles([...ignored.kept, ...submodules], { from: cwd, to: join(snapshots, id) });
  await keepSubmoduleCommits(git, { cwd, to: join(snapshots, `${id}-modules`), submodules });
  return {
    id,
    worktreeId: worktree.id,
    name: worktree.name,
    project: worktree.project,
    at,
    head,
    branch: files.headBranch,
    commit: kept,
    uncommitted: files.changed + files.untracked + files.conflicted,
    lostCommits,
    ignored: forShow({ ...ignored, kept: [...ignored.kept, ...submodules] }),
  };
}

async function keepFiles(paths: string[], { from, to }: { from: string; to: string }): Promise<void> {
  // start an interrupted copy over
  await rm(to, { recursive: true, force: true });
  if (paths.length === 0) return;
  await mkdir(to, { recursive: true, mode: 0o700 });
  await copyPaths(paths, { from, to });
  await chmod(to, 0o700);
}

/** Submodules' files aren't part of the tree, and their repositories are deleted with the worktree. */
async function keepSubmoduleCommits(
  git: Git,
  { cwd, to, submodules }: { cwd: string; to: string; submodules: string[] },
): Promise<void> {
  await rm(to, { recursive: true, force: true });
  if (submodules.length === 0) return;
  const { text } = await git(['rev-parse', '--path-format=absolute', '--git-path', 'modules'], {
    cwd,
    isAboutRepository: true,
  });
  await cp(text.trim(), to, { recursive: true, verbatimSymlinks: true });
}

/** Commits that only this worktree's reflog or refs know. They would be lost with it. */
async function findLostCommits(git: Git, cwd: string): Promise<string[]> {
  const log = await git(['log', '--walk-reflogs', '--format=%H', 'HEAD', '--'], { cwd, accept: [128] });
  const own = await git(['for-each-ref', '--format=%(objectname)', 'refs/worktree', 'refs/bisect', 'refs/rewritten'], {
    cwd,
  });
  const seen = [...new Set([...log.text.split('\n'), ...own.text.split('\n')])].filter((line) =>
    /^[0-9a-f]{40,64}$/.test(line),
  );
  if (seen.length === 0) return [];
  const args = ['rev-list', '--stdin', '--ignore-missing'];
  const reachable = [
    '--not',
    '--exclude=refs/worktree/*',
    '--exclude=refs/bisect/*',
    '--exclude=refs/rewritten/*',
    '--glob=refs/*',
  ];
  const { text } = await git([...args, ...reachable], { cwd, input: `${seen.join('\n')}\n` });
  const lost = text.split('\n').filter((line) => line !== '');
  if (lost.length <= 1) return lost;
  // only the last commit of a chain: it references the others
  const tips = await git(
    ['merge-base', '--independent', ...lost.filter((one) => seen.includes(one)).slice(0, MAX_TIPS)],
    {
      cwd,
    },
  );
  return tips.text.split('\n').filter((line) => line !== '');
}

/** Restores files as they were, into a fresh checkout of the snapshot's HEAD. */
export async function unpackSnapshot(
  { git, snapshots }: Pick<Places, 'git' | 'snapshots'>,
  { snapshot, cwd }: { snapshot: Snapshot; cwd: string },
): Promise<void> {
  if (snapshot.commit !== null) {
    await git(['read-tree', '--reset', '-u', snapshot.commit], { cwd });
    await git(['read-tree', '--reset', 'HEAD'], { cwd });
    await git(['update-index', '-q', '--refresh'], { cwd, accept: [1] });
  }
  const kept = join(snapshots, snapshot.id);
  await copyPaths(['.'], { from: kept, to: cwd });
}
