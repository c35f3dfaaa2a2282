import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

export interface GitFolders {
  /** Written by git commands in a linked worktree, although they are elsewhere. */
  writable: string[];
  /** Inside those: what git runs, and what belongs to other worktrees. */
  readOnly: string[];
}

const NONE: GitFolders = { writable: [], readOnly: [] };

/**
 * The repository behind a linked worktree, without which `git commit` fails. The `.git` file is in the agent's own folder and may say
 * anything, so the repository must name this worktree, too: a command cannot point the file at a repository of its choice.
 */
export function gitFoldersOf(root: string): GitFolders {
  try {
    const file = join(root, '.git');
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return NONE;
    const [, named] = /^gitdir: (.+)$/m.exec(readFileSync(file, 'utf8')) ?? [];
    if (!named) return NONE;
    const own = realpathSync(resolve(root, named));
    const back = readFileSync(join(own, 'gitdir'), 'utf8').trim();
    if (realpathSync(isAbsolute(back) ? back : resolve(own, back)) !== realpathSync(file)) return NONE;
    const common = realpathSync(resolve(own, readFileSync(join(own, 'commondir'), 'utf8').trim()));
    if (dirname(dirname(own)) !== common) return NONE;
    const others = readdirSync(join(common, 'worktrees')).map((name) => join(common, 'worktrees', name));
    return {
      writable: [common, own],
      readOnly: [...OF_THE_REPOSITORY.map((name) => join(common, name)), ...others.filter((path) => path !== own)],
    };
  } catch (error) {
    // a broken or unreadable repository: its git commands fail anyway
    if (typeof (error as NodeJS.ErrnoException).code === 'string') return NONE;
    throw error;
  }
}

/** What git runs or obeys, and the state of the main checkout. */
const OF_THE_REPOSITORY = ['hooks', 'config', 'config.worktree', 'modules', 'info', 'HEAD', 'index'];
