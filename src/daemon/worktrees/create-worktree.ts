import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ProjectSetup, Snapshot, Worktree, WorktreeBase, WorktreeRequest } from '../../contract/worktrees.ts';
import { WorktreeRefused } from './errors.ts';
import { dropWorktree } from './merge-worktree.ts';
import { allotPorts } from './ports.ts';
import { copyIntoWorktree, readProjectSetup } from './project-setup.ts';
import {
  addWorktree,
  checkoutOf,
  findCommit,
  findRepository,
  folderFor,
  hasBranch,
  type Repository,
  resolveBase,
} from './repository.ts';
import { runCommands } from './run-commands.ts';
import { unpackSnapshot } from './take-snapshot.ts';
import type { StoredWorktree, WorktreeContext } from './worktree-context.ts';

const MADE = 'gctl: being set up';

/**
 * Creates a worktree from a chosen base, with the project's setup. The row is written before the folder. Until the worktree is ready
 * nothing has worked in it, so an interrupted one is simply deleted.
 */
export async function createWorktree(
  context: WorktreeContext,
  request: WorktreeRequest,
  { by, sessionId = null }: { by: string; sessionId?: string | null },
): Promise<Worktree> {
  const { git, rows } = context;
  const repository = await findRepository(git, request.project);
  const { root } = repository;
  const setup = await readProjectSetup(root, (hash) => rows.isAllowed(root, hash));
  if (request.setup === 'run' && !setup.isAllowed) throw new ConsentNeeded(setup);
  const made = await context.alone(root, async () => {
    const base = await resolveBase(git, repository, request.base);
    const worktree = await begin(context, { repository, name: request.name, base, ports: setup.ports, by, sessionId });
    await add(context, worktree, { commit: base.commit, isNew: true });
    return worktree;
  });
  try {
    const copied = repository.isBare ? [] : await copyIntoWorktree(git, setup, { from: root, to: made.path });
    const commands = request.setup === 'run' ? setup.setup : [];
    const ran = await runCommands(commands, {
      cwd: made.path,
      env: context.commandEnv(made),
      onStart: async ({ pid, start, command }) =>
        rows.save({
          ...made,
          setup: { ...made.setup, status: 'running', command },
          running: { pid, start },
        } as StoredWorktree),
    });
    const isSkipped = request.setup === 'skip' && setup.setup.length > 0;
    return await finish(
      context,
      { ...made, setup: { ...ran, ...(isSkipped ? { status: 'skipped' } : {}), copied } },
      by,
    );
  } catch (error) {
    await discard(context, made, (error as Error).message);
    throw error;
  }
}

/** Creates a worktree with everything a snapshot kept. */
export async function restoreWorktree(
  context: WorktreeContext,
  { snapshot, name, base }: { snapshot: Snapshot; name: string; base: WorktreeBase | null },
  by: string,
): Promise<Worktree> {
  const { git, folders } = context;
  const { head, project } = snapshot;
  if (head === null || project === null)
    throw new WorktreeRefused('not_a_worktree', `${snapshot.name} isn't a worktree.`);
  const repository = await findRepository(git, project);
  if ((await findCommit(git, repository.root, snapshot.commit ?? head)) === undefined)
    throw new WorktreeRefused(
      'snapshot_gone',
      `The snapshot is no longer in ${project}: refs/gctl/snap/${snapshot.id}.`,
    );
  const made = await context.alone(repository.root, async () => {
    const branch = await freeOldBranch(context, repository, snapshot);
    const worktree = await begin(context, { repository, name, base, ports: 0, by, branch });
    await add(context, worktree, { commit: head, isNew: branch === undefined });
    return worktree;
  });
  try {
    await unpackSnapshot({ git, snapshots: folders.snapshots }, { snapshot, cwd: made.path });
    return await finish(context, made, by, 'worktree.restored');
  } catch (error) {
    await discard(context, made, (error as Error).message);
    throw error;
  }
}

/** The branch it was on, if it hasn't moved and isn't checked out elsewhere. */
async function freeOldBranch(
  { git }: WorktreeContext,
  { root }: Repository,
  { branch, head }: Snapshot,
): Promise<string | undefined> {
  if (branch === null || (await findCommit(git, root, `refs/heads/${branch}`)) !== head) return undefined;
  return (await checkoutOf(git, root, branch)) === undefined ? branch : undefined;
}

interface Beginning {
  repository: Repository;
  name: string;
  base: WorktreeBase | null;
  ports: number;
  by: string;
  sessionId?: string | null;
  /** An existing branch. Absent: a new one is created. */
  branch?: string | undefined;
}

async function begin(
  context: WorktreeContext,
  { repository, name, base, ports, by, sessionId = null, branch }: Beginning,
): Promise<Worktree> {
  const { git, rows, folders } = context;
  const { root } = repository;
  const other = rows.named(root, name);
  if (other) throw new WorktreeRefused('name_taken', `${root} already has a worktree ${other.name}, at ${other.path}.`);
  if (await hasBranch(git, root, 'gctl'))
    throw new WorktreeRefused(
      'branch_in_the_way',
      `A branch named "gctl" keeps git from creating gctl/${name}. Rename it.`,
    );
  const taken = rows.list(['creating', 'ready', 'removing']).flatMap((one) => one.ports ?? []);
  const worktree = context.newWorktree({
    kind: 'worktree',
    name,
    project: root,
    path: await freePath(join(folders.worktrees, folderFor(repository)), name.toLowerCase()),
    branch: branch ?? (await freeBranch(context, root, name)),
    base,
    ports: ports > 0 ? (allotPorts(taken, ports) ?? null) : null,
    createdBy: by,
    sessionId,
  });
  await context.record('worktree.creating', worktree, { by, detail: `${name}: ${worktree.path}` });
  return worktree;
}

/** The branch of a removed worktree stays, so its name may be taken. */
async function freeBranch({ git }: WorktreeContext, root: string, name: string): Promise<string> {
  for (let number = 1; ; number++) {
    const branch = number === 1 ? `gctl/${name}` : `gctl/${name}-${number}`;
    if (!(await hasBranch(git, root, branch))) return branch;
  }
}

async function freePath(folder: string, name: string): Promise<string> {
  for (let number = 1; ; number++) {
    const path = join(folder, number === 1 ? name : `${name}-${number}`);
    if (!(await stat(path).catch(() => undefined))) return path;
  }
}

async function add(
  context: WorktreeContext,
  worktree: Worktree,
  { commit, isNew }: { commit: string; isNew: boolean },
): Promise<void> {
  const { path, branch, project } = worktree;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const what = isNew ? ['--no-track', '-b', branch!, path, commit] : [path, branch!];
  try {
    await addWorktree(context.git, ['--lock', '--reason', MADE, ...what], { cwd: project!, path });
  } catch (error) {
    await discard(context, worktree, (error as Error).message, { isAlone: true });
    throw error;
  }
}

async function finish(
  context: WorktreeContext,
  worktree: Worktree,
  by: string,
  event: 'worktree.created' | 'worktree.restored' = 'worktree.created',
): Promise<Worktree> {
  const ready: Worktree = { ...worktree, state: 'ready' };
  await context.git(['worktree', 'unlock', ready.path], { cwd: ready.project!, accept: [128] });
  const failed = ready.setup.status === 'failed' ? `; setup failed: ${ready.setup.command}` : '';
  await context.record(event, ready, { by, detail: `${ready.name}: ${ready.path}${failed}` });
  return ready;
}

/** Deletes a worktree that nothing has worked in. */
export async function discard(
  context: WorktreeContext,
  worktree: Worktree,
  why: string,
  { isAlone = false } = {},
): Promise<void> {
  const { git } = context;
  const { project, path, branch, base } = worktree;
  const work = async () => {
    await dropWorktree(git, project!, path);
    // only if it is still where we created it
    if (branch?.startsWith('gctl/') && base)
      await git(['update-ref', '-d', `refs/heads/${branch}`, base.commit], { cwd: project!, accept: [1, 128] });
  };
  await (isAlone ? work() : context.alone(project!, work));
  const failed: Worktree = { ...worktree, state: 'failed', failure: why };
  await context.record('worktree.failed', failed, { by: 'control', detail: `${worktree.name}: ${why}` });
}

export class ConsentNeeded extends WorktreeRefused {
  constructor({ file, setup, teardown, hash, project }: ProjectSetup) {
    const commands = [...setup, ...teardown].map((command) => `\n  ${command}`).join('');
    super(
      'consent_needed',
      `${file} wants to run these commands in new worktrees. Allow them once (gctl worktrees setup --allow --project ${project}), or skip them:${commands}`,
      { project, hash, setup, teardown },
    );
  }
}
