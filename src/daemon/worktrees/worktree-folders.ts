import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** Where worktrees and their files live in our data dir. */
export interface WorktreeFolders {
  /** One folder per repository, containing one per worktree. */
  worktrees: string;
  scratch: string;
  /** Ignored files of removed worktrees, and removed scratch folders. */
  snapshots: string;
  /** Emptied on every start. */
  temp: string;
  /** Stand-ins for repositories' git folders. */
  git: string;
}

/** Resolved, because git reports resolved paths. */
export function foldersIn(dataDir: string): WorktreeFolders {
  const make = (name: string) => {
    const path = join(dataDir, name);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return realpathSync(path);
  };
  return {
    worktrees: make('worktrees'),
    scratch: make('scratch'),
    snapshots: make('worktree-snapshots'),
    temp: make('worktree-temp'),
    git: make('worktree-git'),
  };
}
