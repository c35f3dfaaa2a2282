import { randomUUID } from 'node:crypto';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Snapshot, Worktree } from '../../contract/worktrees.ts';
import { readCheckout } from './checkout-tree.ts';
import { WorktreeRefused } from './errors.ts';
import { dropWorktree } from './merge-worktree.ts';
import { readProjectSetup } from './project-setup.ts';
import { runCommands } from './run-commands.ts';
import { takeSnapshot } from './take-snapshot.ts';
import type { WorktreeContext } from './worktree-context.ts';
import { isOnDisk, readStatus } from './worktree-status.ts';

/** How often to retake a snapshot because files changed meanwhile. */
const ATTEMPTS = 3;

interface Removing {
  force: boolean;
  by: string;
  /** Titles of sessions that work there. */
  sessions: string[];
}

/**
 * Removes a worktree, always with a snapshot. Without force, only if its work is certain to exist elsewhere. Nothing is deleted until the
 * snapshot is recorded; after that, the next start finishes an interrupted removal.
 */
export async function removeWorktree(
  context: WorktreeContext,
  worktree: Worktree,
  { force, by, sessions }: Removing,
): Promise<{ worktree: Worktree; snapshot: Snapshot }> {
  if (sessions.length > 0 && !force)
    throw new WorktreeRefused('in_use', `${worktree.name} is in use by ${sessions.join(', ')}. Stop it first.`);
  if (worktree.kind === 'scratch') return removeScratch(context, worktree, by);
  const isThere = await isOnDisk(worktree.path);
  if (isThere && !force) await checkSafe(context, worktree);
  return context.alone(worktree.project!, async () => {
    const snapshotId = randomUUID();
    const removing: Worktree = { ...worktree, state: 'removing', snapshotId };
    await context.record('worktree.removing', removing, { by, detail: `${worktree.name}: ${worktree.path}` });
    try {
      if (isThere) await tearDown(context, worktree, { force });
      const snapshot = isThere ? await snapshotUnchanged(context, removing) : emptySnapshot(context, removing);
      await context.record('worktree.snapshotted', removing, { by, detail: snapshotDetail(snapshot), snapshot });
      return { worktree: await finishRemoval(context, removing, by), snapshot };
    } catch (error) {
      // without a recorded snapshot, nothing was deleted
      if (!context.rows.snapshot(snapshotId)) {
        const why = `${worktree.name} was not removed: ${(error as Error).message}`;
        await context.record('worktree.kept', { ...worktree, state: 'ready' }, { by: 'control', detail: why });
      }
      throw error;
    }
  });
}

async function checkSafe({ git, folders }: WorktreeContext, worktree: Worktree): Promise<void> {
  const { removal } = await readStatus({ git, scratch: folders.temp }, worktree);
  if (removal.isSafe) return;
  throw new WorktreeRefused(
    'not_clean',
    `${worktree.name} has work that exists nowhere else. ${removal.reasons.join(' ')} Merge it, turn it into a branch, or force the removal: a snapshot is kept.`,
    { reasons: removal.reasons, ignored: removal.ignored },
  );
}

async function tearDown(context: WorktreeContext, worktree: Worktree, { force }: { force: boolean }): Promise<void> {
  const setup = await readProjectSetup(worktree.project!, (hash) => context.rows.isAllowed(worktree.project!, hash));
  if (setup.teardown.length === 0 || !setup.isAllowed) return;
  const { status, command, output } = await runCommands(setup.teardown, {
    cwd: worktree.path,
    env: context.commandEnv(worktree),
    onStart: async ({ pid, start }) =>
      context.rows.save({ ...worktree, state: 'removing', running: { pid, start } } as Worktree),
  });
  if (status !== 'failed' || force) return;
  throw new WorktreeRefused('teardown_failed', `The teardown command failed: ${command}\n${output}`);
}

/** Takes a snapshot after which nothing was written: later changes would be lost. */
async function snapshotUnchanged(context: WorktreeContext, worktree: Worktree): Promise<Snapshot> {
  const { git, folders } = context;
  const where = { git, scratch: folders.temp, snapshots: folders.snapshots };
  for (let attempt = 1; ; attempt++) {
    const snapshot = await takeSnapshot(where, worktree, { id: worktree.snapshotId!, at: context.now() });
    const kept = (await git(['rev-parse', `${snapshot.commit}^{tree}`], { cwd: worktree.path })).text.trim();
    const now = await readCheckout(git, { cwd: worktree.path, scratch: folders.temp });
    if (now.tree === kept && now.head === snapshot.head) return snapshot;
    if (attempt === ATTEMPTS)
      throw new WorktreeRefused(
        'busy',
        `Something keeps writing to ${worktree.path}. Stop it, then remove the worktree.`,
      );
  }
}

function emptySnapshot(context: WorktreeContext, { id, name, project, snapshotId, branch }: Worktree): Snapshot {
  const nothing = { kept: [], deleted: [], tooLarge: [] };
  return {
    id: snapshotId!,
    worktreeId: id,
    name,
    project,
    at: context.now(),
    head: null,
    branch,
    commit: null,
    uncommitted: 0,
    lostCommits: [],
    ignored: nothing,
  };
}

function snapshotDetail({ id, name, uncommitted, ignored }: Snapshot): string {
  return `${name}: refs/gctl/snap/${id}, ${uncommitted} uncommitted, ${ignored.kept.length} ignored kept`;
}

/** Everything is kept by now. Also called at startup for a half-done removal. */
export async function finishRemoval(context: WorktreeContext, worktree: Worktree, by: string): Promise<Worktree> {
  const { git } = context;
  const { project, path, branch, base } = worktree;
  await dropWorktree(git, project!, path);
  // delete a branch without its own commits; keep any other
  if (branch?.startsWith('gctl/') && base)
    await git(['update-ref', '-d', `refs/heads/${branch}`, base.commit], { cwd: project!, accept: [1, 128] });
  const removed: Worktree = { ...worktree, state: 'removed', removedAt: context.now() };
  await context.record('worktree.removed', removed, { by, detail: `${worktree.name}: ${path}` });
  return removed;
}

/** Keeps the folder itself as the snapshot. */
async function removeScratch(
  context: WorktreeContext,
  worktree: Worktree,
  by: string,
): Promise<{ worktree: Worktree; snapshot: Snapshot }> {
  const removing: Worktree = { ...worktree, state: 'removing', snapshotId: randomUUID() };
  const snapshot = emptySnapshot(context, removing);
  await context.record('worktree.snapshotted', removing, {
    by,
    detail: `${worktree.name}: ${worktree.path}`,
    snapshot,
  });
  return { worktree: await finishScratch(context, removing, by), snapshot };
}

export async function finishScratch(context: WorktreeContext, worktree: Worktree, by: string): Promise<Worktree> {
  if (await isOnDisk(worktree.path)) await move(worktree.path, join(context.folders.snapshots, worktree.snapshotId!));
  const removed: Worktree = { ...worktree, state: 'removed', removedAt: context.now() };
  await context.record('worktree.removed', removed, { by, detail: `${worktree.name}: ${worktree.path}` });
  return removed;
}

export async function move(from: string, to: string): Promise<void> {
  await mkdir(join(to, '..'), { recursive: true, mode: 0o700 });
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EXDEV') throw error;
    await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    await rm(from, { recursive: true, force: true });
  });
}
