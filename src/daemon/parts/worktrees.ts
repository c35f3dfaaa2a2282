import { worktreeRoutes } from '../http/worktrees.ts';
import { Worktrees } from '../worktrees/worktrees.ts';
import type { Base } from './base.ts';
import type { CorePart } from './core.ts';

export type WorktreesPart = ReturnType<typeof worktreesPart>;

/** Worktrees and scratch folders that agents work in. */
export function worktreesPart({ dataDir, env, now, onError }: Base, { core }: Pick<CorePart, 'core'>) {
  const worktrees = new Worktrees({ core, dataDir: dataDir.path, env, now, onError });
  return {
    worktrees,
    routes: [worktreeRoutes({ worktrees })],
    start() {
      // in the background: a repository on a slow disk must not hold up the start
      void worktrees.start();
    },
    stop: () => worktrees.stop(),
  };
}
