import { join } from 'node:path';
import type { StartSpec } from '../../contract/orchestration.ts';
import type { Worktree } from '../../contract/worktrees.ts';
import { WorktreeRefused } from './errors.ts';
import type { Worktrees } from './worktrees.ts';

interface Asking {
  id: string;
  name: string;
  by: string;
}

/** Where sessions started from here work: a given folder, a worktree of it, or a scratch folder. */
export class Workplaces {
  readonly #worktrees: Worktrees;

  constructor(worktrees: Worktrees) {
    this.#worktrees = worktrees;
  }

  /** Throws if `make` would fail. */
  async check({ cwd, worktree }: StartSpec): Promise<void> {
    if (worktree === undefined) return;
    if (cwd === undefined)
      throw new WorktreeRefused('no_project', 'A worktree needs a repository. Set its folder (cwd).');
    await this.#worktrees.check({ project: cwd, base: worktree.base ?? 'HEAD', setup: worktree.setup ?? 'run' });
  }

  async make({ cwd, worktree }: StartSpec, session: Asking): Promise<{ cwd: string; worktree: string | null }> {
    if (cwd !== undefined && worktree === undefined) return { cwd, worktree: null };
    const request = { base: worktree?.base ?? 'HEAD', setup: worktree?.setup ?? ('run' as const) };
    const made = await this.#own(session, (name) =>
      cwd === undefined
        ? this.#worktrees.createScratch(name, session.by, session.id)
        : this.#worktrees.create({ project: cwd, name, ...request }, session.by, session.id),
    );
    if (made.setup.status === 'failed')
      throw new WorktreeRefused(
        'setup_failed',
        `The project's setup failed in ${made.path}: ${made.setup.command}\n${made.setup.output}`,
      );
    return { cwd: cwd === undefined ? made.path : folderIn(made, cwd), worktree: cwd === undefined ? null : made.path };
  }

  envIn(cwd: string): Record<string, string> {
    const worktree = this.#worktrees.at(cwd);
    return worktree ? this.#worktrees.envOf(worktree) : {};
  }

  /** The worktree that was created before the daemon was killed, or a new one under a free name. */
  async #own({ id, name }: Asking, create: (name: string) => Promise<Worktree>): Promise<Worktree> {
    await this.#worktrees.start();
    const before = this.#worktrees.ofSession(id);
    if (before) return before;
    for (let number = 1; ; number++) {
      try {
        return await create(number === 1 ? name : `${name.slice(0, 55)}-${number}`);
      } catch (error) {
        if (!(error instanceof WorktreeRefused) || error.code !== 'worktree.name_taken') throw error;
      }
    }
  }
}

/** A session meant for a subfolder of the project works in the same subfolder of the worktree. */
function folderIn({ path, project }: Worktree, cwd: string): string {
  return project !== null && cwd.startsWith(`${project}/`) ? join(path, cwd.slice(project.length + 1)) : path;
}
