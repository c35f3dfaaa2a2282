import { randomUUID } from 'node:crypto';
import type { EventsOf } from '../../contract/events.ts';
import type { Snapshot, Worktree } from '../../contract/worktrees.ts';
import type { Core } from '../core.ts';
import { Exclusive } from '../exclusive.ts';
import { createGit, type Git } from './git.ts';
import { foldersIn, type WorktreeFolders } from './worktree-folders.ts';
import { WorktreeRows } from './worktree-rows.ts';

/** One of our processes in a worktree, recorded so that the next daemon can end it if we die. */
export interface Running {
  pid: number;
  start: string | null;
}

export type StoredWorktree = Worktree & { running?: Running };

export interface WorktreeContextOptions {
  core: Core;
  dataDir: string;
  env: NodeJS.ProcessEnv;
  now: () => number;
}

interface Note {
  by: string;
  detail: string;
  snapshot?: Snapshot;
}

/** Shared state of everything that handles worktrees. */
export class WorktreeContext {
  readonly core: Core;
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
  readonly git: Git;
  readonly rows: WorktreeRows;
  readonly folders: WorktreeFolders;
  readonly #exclusive = new Exclusive();

  constructor({ core, dataDir, env, now }: WorktreeContextOptions) {
    this.core = core;
    this.env = env;
    this.now = now;
    this.rows = new WorktreeRows(core.journal.db);
    this.folders = foldersIn(dataDir);
    this.git = createGit({ env, folder: this.folders.git });
  }

  /** git fails when several worktrees of one repository are created at once. */
  alone<T>(repository: string, work: () => Promise<T>): Promise<T> {
    return this.#exclusive.run(repository.toLowerCase(), work);
  }

  /** Writes the journal event and the row in one transaction. */
  async record(name: EventsOf<'worktree'>, worktree: StoredWorktree, { by, detail, snapshot }: Note): Promise<void> {
    await this.core.record({
      sessionId: '',
      source: by === 'control' ? 'control' : 'operator',
      name,
      payload: { by, detail, worktreeId: worktree.id, name: worktree.name, project: worktree.project },
      write: () => {
        this.rows.save(worktree);
        if (snapshot) this.rows.saveSnapshot(snapshot);
      },
    });
  }

  newWorktree(
    fields: Pick<Worktree, 'kind' | 'name' | 'project' | 'path' | 'createdBy'> & Partial<Worktree>,
  ): Worktree {
    return {
      id: randomUUID(),
      state: 'creating',
      branch: null,
      base: null,
      ports: null,
      setup: { status: 'none', copied: [], command: null, exitCode: null, output: '' },
      merged: null,
      createdAt: this.now(),
      sessionId: null,
      removedAt: null,
      snapshotId: null,
      failure: null,
      ...fields,
    };
  }

  /** For project commands and agents that run there. */
  envOf({ path, project, ports }: Worktree): Record<string, string> {
    return {
      GROUNDCONTROL_WORKTREE: path,
      ...(project === null ? {} : { GROUNDCONTROL_PROJECT: project }),
      ...(ports ? { GROUNDCONTROL_PORT: String(ports.first), GROUNDCONTROL_PORT_COUNT: String(ports.count) } : {}),
    };
  }

  commandEnv(worktree: Worktree): NodeJS.ProcessEnv {
    // a script token belongs to the operator, not to the project
    const { GROUNDCONTROL_TOKEN: _, ...env } = this.env;
    return { PATH: process.env.PATH ?? '', ...env, ...this.envOf(worktree) };
  }
}
