import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import type {
  BranchMade,
  BranchRequest,
  ForeignWorktree,
  MergeRequest,
  ProjectSetup,
  Snapshot,
  Worktree,
  WorktreeBase,
  WorktreeDetails,
  WorktreeDiff,
  WorktreeFileDiff,
  WorktreeRequest,
  WorktreeView,
} from '../../contract/worktrees.ts';
import { isWithin } from '../is-within.ts';
import { readCheckout } from './checkout-tree.ts';
import { ConsentNeeded, createWorktree, restoreWorktree } from './create-worktree.ts';
import { Diffs } from './diff-worktree.ts';
import { WorktreeRefused, WorktreeUnknown } from './errors.ts';
import type { Git } from './git.ts';
import { isAtWork, sessionsIn, WorktreeLocks } from './lock-worktrees.ts';
import { commitCheckout, mergeWorktree } from './merge-worktree.ts';
import { readProjectSetup } from './project-setup.ts';
import { recoverWorktrees } from './recover-worktrees.ts';
import { move, removeWorktree } from './remove-worktree.ts';
import { findRepository, hasBranch, listRepositoryWorktrees, resolveBase } from './repository.ts';
import { WorktreeContext, type WorktreeContextOptions } from './worktree-context.ts';
import { isOnDisk, readStatus } from './worktree-status.ts';

interface Options extends WorktreeContextOptions {
  onError: (error: unknown) => void;
}

/** Isolated workplaces for agents: worktrees of repositories, and scratch folders. */
export class Worktrees {
  readonly #context: WorktreeContext;
  readonly #diffs: Diffs;
  readonly #locks: WorktreeLocks;
  readonly #onError: (error: unknown) => void;
  #recovery: Promise<void> | undefined;

  constructor({ onError, ...options }: Options) {
    this.#context = new WorktreeContext(options);
    this.#diffs = new Diffs({ git: this.#context.git, scratch: this.#context.folders.temp });
    this.#locks = new WorktreeLocks(this.#context, onError);
    this.#onError = onError;
    options.core.observe(this.#locks.observe);
  }

  /** Git that never reads a repository's own configuration. */
  get git(): Git {
    return this.#context.git;
  }

  /** Cleans up after a killed daemon. Every change to a worktree waits for it. */
  start(): Promise<void> {
    this.#recovery ??= recoverWorktrees(this.#context, this.#onError)
      .then(() => this.#locks.sweep())
      .catch(this.#onError);
    return this.#recovery;
  }

  async stop(): Promise<void> {
    await this.#recovery;
    await this.#diffs.close();
  }

  async create(request: WorktreeRequest, by: string, sessionId: string | null = null): Promise<Worktree> {
    await this.start();
    return createWorktree(this.#context, request, { by, sessionId });
  }

  /** Throws if `create` would fail. */
  async check({ project, base, setup }: Omit<WorktreeRequest, 'name'>): Promise<void> {
    const repository = await findRepository(this.#context.git, project);
    await resolveBase(this.#context.git, repository, base);
    const wanted = await this.setupOf(project);
    if (setup === 'run' && !wanted.isAllowed) throw new ConsentNeeded(wanted);
  }

  async resolveBase(project: string, base: string): Promise<WorktreeBase> {
    return resolveBase(this.#context.git, await findRepository(this.#context.git, project), base);
  }

  async createScratch(name: string, by: string, sessionId: string | null = null): Promise<Worktree> {
    await this.start();
    const { rows, folders } = this.#context;
    const other = rows.named(null, name);
    if (other) throw new WorktreeRefused('name_taken', `The scratch folder ${other.name} already exists.`);
    const path = join(folders.scratch, name.toLowerCase());
    const creating = this.#context.newWorktree({
      kind: 'scratch',
      name,
      project: null,
      path,
      createdBy: by,
      sessionId,
    });
    await this.#context.record('worktree.creating', creating, { by, detail: `${name}: ${path}` });
    await mkdir(path, { recursive: true, mode: 0o700 });
    const ready: Worktree = { ...creating, state: 'ready' };
    await this.#context.record('worktree.created', ready, { by, detail: `${name}: ${path}` });
    return ready;
  }

  /** Our worktrees, newest first, and those in the same repositories that others created. */
  async list({ project, removed = false }: { project?: string | undefined; removed?: boolean } = {}): Promise<{
    worktrees: WorktreeView[];
    others: ForeignWorktree[];
  }> {
    const states = ['creating', 'ready', 'removing', ...(removed ? (['removed', 'failed'] as const) : [])] as const;
    const found = this.#context.rows.list(states).filter((one) => project === undefined || one.project === project);
    const worktrees = await Promise.all(found.map((one) => this.#view(one)));
    return { worktrees, others: await this.#others(project, new Set(found.map(({ path }) => path))) };
  }

  get(id: string): Worktree {
    const worktree = this.#context.rows.get(id);
    if (!worktree) throw new WorktreeUnknown(id);
    return worktree;
  }

  /** The worktree that was created for a session. */
  ofSession(sessionId: string): Worktree | undefined {
    return this.#context.rows.list(['ready']).find((one) => one.sessionId === sessionId);
  }

  /** Includes removed ones. */
  everOfSession(sessionId: string): Worktree | undefined {
    const states = ['creating', 'ready', 'removing', 'removed'] as const;
    return this.#context.rows.list(states).find((one) => one.sessionId === sessionId);
  }

  /** The worktree that contains a folder. */
  at(folder: string | null): Worktree | undefined {
    return this.#context.rows.list(['creating', 'ready', 'removing']).find(({ path }) => isWithin(folder, path));
  }

  async details(id: string): Promise<WorktreeDetails> {
    const worktree = this.get(id);
    const view = await this.#view(worktree);
    if (worktree.kind === 'scratch' || worktree.state !== 'ready' || view.isMissing)
      return { ...view, status: null, problem: null };
    try {
      return {
        ...view,
        status: await readStatus({ git: this.#context.git, scratch: this.#context.folders.temp }, worktree),
        problem: null,
      };
    } catch (error) {
      return { ...view, status: null, problem: (error as Error).message };
    }
  }

  /** For commands and agents that run there. */
  envOf(worktree: Worktree): Record<string, string> {
    return this.#context.envOf(worktree);
  }

  async diff(id: string): Promise<WorktreeDiff> {
    return this.#diffs.summarize(await this.#requireFiles(id));
  }

  async diffFile(
    id: string,
    asked: { path: string; tree?: string | undefined; context: number },
  ): Promise<WorktreeFileDiff> {
    return this.#diffs.file(await this.#requireFiles(id), asked);
  }

  async patch(id: string): Promise<Buffer> {
    return this.#diffs.patch(await this.#requireFiles(id));
  }

  async merge(id: string, request: MergeRequest, by: string): Promise<Worktree> {
    await this.start();
    const worktree = await this.#requireFiles(id);
    const { git, folders } = this.#context;
    return this.#context.alone(worktree.project!, async () => {
      const merged = await mergeWorktree({ git, scratch: folders.temp }, worktree, request);
      const now: Worktree = { ...this.get(id), merged: { ...merged, at: this.#context.now() } };
      const detail = `${worktree.name}: ${merged.strategy} into ${merged.into}, ${merged.commit.slice(0, 12)}`;
      await this.#context.record('worktree.merged', now, { by, detail });
      return now;
    });
  }

  /** Creates a branch with everything in it, uncommitted work as a commit on top. The worktree stays unchanged. */
  async branch(
    id: string,
    { name, message }: z.infer<typeof BranchRequest>,
    by: string,
  ): Promise<z.infer<typeof BranchMade>> {
    const worktree = await this.#requireFiles(id);
    const { git, folders } = this.#context;
    const cwd = worktree.path;
    const valid = await git(['check-ref-format', '--branch', name], { cwd, accept: [1, 128] });
    if (valid.code !== 0 || name.startsWith('-'))
      throw new WorktreeRefused('bad_branch', `${name} isn't a valid name for a branch.`);
    return this.#context.alone(worktree.project!, async () => {
      if (await hasBranch(git, cwd, name))
        throw new WorktreeRefused('branch_taken', `The branch ${name} already exists. Choose another name.`);
      const now = await readCheckout(git, { cwd, scratch: folders.temp });
      const title = message?.trim() || `Work in progress in ${worktree.name}`;
      const commit = await commitCheckout(git, { cwd, now, message: title });
      // empty old value: only if it wasn't created in the meantime
      await git(['update-ref', '-m', 'gctl: branch', `refs/heads/${name}`, commit, ''], { cwd });
      await this.#context.record('worktree.branched', this.get(id), { by, detail: `${worktree.name}: ${name}` });
      return { branch: name, commit, uncommitted: commit !== now.head };
    });
  }

  async remove(
    id: string,
    { force }: { force: boolean },
    by: string,
  ): Promise<{ worktree: Worktree; snapshot: Snapshot }> {
    await this.start();
    const worktree = this.get(id);
    if (worktree.state !== 'ready')
      throw new WorktreeRefused('not_ready', `${worktree.name} is ${worktree.state}: there is nothing to remove now.`);
    const live = sessionsIn(this.#context.core.live.sessions(), worktree.path).filter(isAtWork);
    return removeWorktree(this.#context, worktree, {
      force,
      by,
      sessions: live.map(({ id: sessionId }) => this.#titleOf(sessionId)),
    });
  }

  snapshots(): Snapshot[] {
    return this.#context.rows.snapshots();
  }

  async restore(snapshotId: string, { name: wanted }: { name?: string | undefined }, by: string): Promise<Worktree> {
    await this.start();
    const { rows, folders } = this.#context;
    const snapshot = rows.snapshot(snapshotId);
    if (!snapshot)
      throw new WorktreeRefused('no_snapshot', `No snapshot ${snapshotId}. \`gctl worktrees snapshots\` lists them.`);
    const old = rows.get(snapshot.worktreeId);
    const name = wanted ?? snapshot.name;
    if (snapshot.project !== null)
      return restoreWorktree(this.#context, { snapshot, name, base: old?.base ?? null }, by);
    const kept = join(folders.snapshots, snapshot.id);
    if (!(await isOnDisk(kept)))
      throw new WorktreeRefused('snapshot_gone', `${kept} is gone: it was already restored.`);
    const made = await this.createScratch(name, by);
    await move(kept, made.path);
    return made;
  }

  async setupOf(project: string): Promise<ProjectSetup> {
    const { git, rows } = this.#context;
    const { root } = await findRepository(git, project);
    return readProjectSetup(root, (hash) => rows.isAllowed(root, hash));
  }

  /** Consents to exactly these commands: a changed file asks again. */
  async allowSetup(project: string, hash: string, by: string): Promise<ProjectSetup> {
    const setup = await this.setupOf(project);
    if (setup.hash !== hash)
      throw new WorktreeRefused(
        'setup_changed',
        `${setup.file ?? project} has changed since you reviewed it. Check it again.`,
      );
    await this.#context.core.record({
      sessionId: '',
      source: 'operator',
      name: 'worktree.setup_allowed',
      payload: { by, detail: `${setup.file}: ${[...setup.setup, ...setup.teardown].join(' ; ')}` },
      write: () => this.#context.rows.allow(setup.project, hash),
    });
    return { ...setup, isAllowed: true };
  }

  async #requireFiles(id: string): Promise<Worktree> {
    const worktree = this.get(id);
    if (worktree.kind === 'scratch')
      throw new WorktreeRefused(
        'scratch',
        `${worktree.name} is a scratch folder: there is no base to compare it with.`,
      );
    if (worktree.state !== 'ready' || !(await isOnDisk(worktree.path)))
      throw new WorktreeRefused('not_ready', `${worktree.name} isn't on the disk: ${worktree.state}.`);
    return worktree;
  }

  async #view(worktree: Worktree): Promise<WorktreeView> {
    const sessions = sessionsIn(this.#context.core.live.sessions(), worktree.path).map((session) => ({
      id: session.id,
      title: this.#titleOf(session.id),
      isLive: isAtWork(session),
    }));
    const isExpected = worktree.state === 'ready' || worktree.state === 'removing';
    return { ...worktree, sessions, isMissing: isExpected && !(await isOnDisk(worktree.path)) };
  }

  #titleOf(sessionId: string): string {
    return this.#context.core.live.view(sessionId)?.title ?? sessionId;
  }

  async #others(project: string | undefined, ours: Set<string>): Promise<ForeignWorktree[]> {
    const { core, git, rows } = this.#context;
    const known = rows.list(['ready']).flatMap((one) => one.project ?? []);
    const onBoard = [...core.live.sessions()].flatMap(({ root }) => root ?? []);
    const projects = project === undefined ? new Set([...known, ...onBoard]) : new Set([project]);
    const lists = [...projects].map(async (root) => {
      const all = await listRepositoryWorktrees(git, root).catch(() => []);
      return all
        .slice(1)
        .filter(({ path }) => !ours.has(path) && !isWithin(path, this.#context.folders.temp))
        .map(({ path, branch, head, lock }) => ({ project: root, path, branch, head, isLocked: lock !== null }));
    });
    return (await Promise.all(lists)).flat();
  }
}
