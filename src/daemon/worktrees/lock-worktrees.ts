import type { Worktree } from '../../contract/worktrees.ts';
import { isWithin } from '../is-within.ts';
import type { SessionChange } from '../sessions/live-model.ts';
import type { Session } from '../sessions/session.ts';
import { listRepositoryWorktrees } from './repository.ts';
import type { WorktreeContext } from './worktree-context.ts';

const REASON = 'gctl: in use';

/** Sessions that work in a folder, or did. */
export function sessionsIn(sessions: Iterable<Session>, path: string): Session[] {
  return [...sessions].filter(({ cwd, checkout }) => isWithin(checkout, path) || isWithin(cwd, path));
}

export const isAtWork = ({ endedAt, gone }: Session): boolean => endedAt === null && gone === null;

/** Holds git's own lock on worktrees with a working session, so that `git worktree prune` or `remove` doesn't delete them. */
export class WorktreeLocks {
  readonly #context: WorktreeContext;
  readonly #onError: (error: unknown) => void;
  /** Ids of worktrees we locked. */
  readonly #locked = new Set<string>();
  /** Each session's last folder and whether it was working: most events change neither. */
  readonly #seen = new Map<string, string>();

  constructor(context: WorktreeContext, onError: (error: unknown) => void) {
    this.#context = context;
    this.#onError = onError;
  }

  readonly observe = (_event: unknown, change: SessionChange | undefined): void => {
    const { live } = this.#context.core;
    const session = change && live.get(change.session.id);
    const folder = session?.checkout ?? session?.cwd ?? null;
    if (!session || !isWithin(folder, this.#context.folders.worktrees)) return;
    const standing = `${isAtWork(session)} ${folder}`;
    if (this.#seen.get(session.id) === standing) return;
    this.#seen.set(session.id, standing);
    const worktree = this.#context.rows.list(['ready']).find(({ path }) => isWithin(folder, path));
    if (worktree) this.#keep(worktree).catch(this.#onError);
  };

  /** Finds the locks of a killed daemon on disk. */
  async sweep(): Promise<void> {
    const worktrees = this.#context.rows.list(['ready']).filter(({ kind }) => kind === 'worktree');
    for (const project of new Set(worktrees.map((one) => one.project!))) {
      const listed = await listRepositoryWorktrees(this.#context.git, project).catch(() => []);
      for (const { path, lock } of listed) {
        const worktree = worktrees.find((one) => one.path === path);
        if (!worktree) continue;
        if (lock?.startsWith('gctl:')) this.#locked.add(worktree.id);
        await this.#keep(worktree).catch(this.#onError);
      }
    }
  }

  async #keep(worktree: Worktree): Promise<void> {
    const { core, git } = this.#context;
    const isUsed = sessionsIn(core.live.sessions(), worktree.path).some(isAtWork);
    if (worktree.kind === 'scratch' || isUsed === this.#locked.has(worktree.id)) return;
    if (isUsed) this.#locked.add(worktree.id);
    else this.#locked.delete(worktree.id);
    const args = isUsed ? ['lock', '--reason', REASON, worktree.path] : ['unlock', worktree.path];
    // it may have been locked or unlocked by hand
    await this.#context.alone(worktree.project!, () =>
      git(['worktree', ...args], { cwd: worktree.project!, accept: [128] }),
    );
  }
}
