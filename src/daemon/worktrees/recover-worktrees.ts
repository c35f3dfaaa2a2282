import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Worktree } from '../../contract/worktrees.ts';
import { endProcesses } from '../processes/end-processes.ts';
import { type Process, readProcesses } from '../processes/read-processes.ts';
import { discard } from './create-worktree.ts';
import { dropWorktree } from './merge-worktree.ts';
import { finishRemoval, finishScratch } from './remove-worktree.ts';
import { checkoutOf, findCommit, findRepository, resolveBase } from './repository.ts';
import type { StoredWorktree, WorktreeContext } from './worktree-context.ts';

const TERM_MS = 500;

/** Cleans up after a killed daemon: deletes unfinished worktrees, finishes removals, deletes temporary files. */
export async function recoverWorktrees(context: WorktreeContext, onError: (error: unknown) => void): Promise<void> {
  for (const worktree of context.rows.list(['creating', 'removing']) as StoredWorktree[]) {
    await endLeftovers(worktree);
    await (worktree.state === 'creating' ? takeBack(context, worktree) : carryOn(context, worktree)).catch(onError);
  }
  await emptyTemp(context).catch(onError);
  await adopt(context).catch(onError);
}

async function takeBack(context: WorktreeContext, worktree: Worktree): Promise<void> {
  const why = 'Ground Control was stopped while it was being created.';
  if (worktree.kind === 'worktree') return discard(context, worktree, why);
  await rm(worktree.path, { recursive: true, force: true });
  const failed: Worktree = { ...worktree, state: 'failed', failure: why };
  await context.record('worktree.failed', failed, { by: 'control', detail: `${worktree.name}: ${why}` });
}

async function carryOn(context: WorktreeContext, worktree: Worktree): Promise<void> {
  const isKept = worktree.snapshotId !== null && context.rows.snapshot(worktree.snapshotId) !== undefined;
  if (!isKept) {
    const detail = `${worktree.name} was not removed: Ground Control was stopped before its snapshot was saved.`;
    return context.record(
      'worktree.kept',
      { ...worktree, state: 'ready', snapshotId: null },
      { by: 'control', detail },
    );
  }
  if (worktree.kind === 'scratch') await finishScratch(context, worktree, 'control');
  else await context.alone(worktree.project!, () => finishRemoval(context, worktree, 'control'));
}

/** Ends our own git or setup command that survived us: it would write into what we are about to delete. */
async function endLeftovers({ path, running }: StoredWorktree): Promise<void> {
  const isOurs = ({ pid, start, groupId, command }: Process, table: Process[]) => {
    const isGit = command.includes(' worktree add ') && command.includes(path);
    const leader = table.find((one) => one.pid === running?.pid && one.start === running.start);
    return pid !== process.pid && (isGit || (leader !== undefined && groupId === leader.groupId && start !== ''));
  };
  await endProcesses(
    async () => {
      const table = await readProcesses();
      return { table, victims: table.filter((one) => isOurs(one, table)) };
    },
    { termMs: TERM_MS },
  );
}

/** An interrupted rebase is still on git's list. */
async function emptyTemp({ git, rows, folders }: WorktreeContext): Promise<void> {
  for (const name of await readdir(folders.temp)) {
    const path = join(folders.temp, name);
    const project = name.startsWith('rebase-') ? rows.get(name.slice('rebase-'.length))?.project : undefined;
    if (project) await dropWorktree(git, project, path);
    else await rm(path, { recursive: true, force: true });
  }
}

/** Worktrees in our folder that the journal doesn't know, because it was lost or set aside. Nothing else would find them. */
async function adopt(context: WorktreeContext): Promise<void> {
  const { git, rows, folders } = context;
  const known = new Set(rows.list(['creating', 'ready', 'removing']).map(({ path }) => path));
  for (const repository of await readdir(folders.worktrees)) {
    for (const name of await readdir(join(folders.worktrees, repository)).catch(() => [])) {
      const path = join(folders.worktrees, repository, name);
      if (!known.has(path)) await adoptOne(context, path, name).catch(() => undefined);
    }
  }

  async function adoptOne(of: WorktreeContext, path: string, name: string): Promise<void> {
    const { root } = await findRepository(git, path);
    const head = await findCommit(git, path, 'HEAD');
    // a folder that isn't a worktree itself belongs to a repository around it
    const branch =
      (await git(['symbolic-ref', '--short', '-q', 'HEAD'], { cwd: path, accept: [1] })).text.trim() || null;
    const isListed = branch === null || (await checkoutOf(git, root, branch)) === path;
    if (head === undefined || !isListed || of.rows.named(root, name)) return;
    const base = await resolveBase(git, { root, commonDir: root, isBare: true }, 'HEAD');
    const met = await git(['merge-base', base.commit, head], { cwd: path, accept: [1] });
    const worktree = of.newWorktree({ kind: 'worktree', name, project: root, path, branch, createdBy: 'control' });
    const found: Worktree = { ...worktree, state: 'ready', base: { ...base, commit: met.text.trim() || head } };
    await of.record('worktree.adopted', found, { by: 'control', detail: `${name}: ${path}` });
  }
}
