import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

export interface GitFolders {
  /** Paths outside a linked worktree that git commands in it write to. */
  writable: string[];
  /** Inside those: files git executes, and files of other worktrees. */
  readOnly: string[];
}

const NONE: GitFolders = { writable: [], readOnly: [] };

/**
 * The repository behind a linked worktree, which `git commit` needs. The `.git` file is in the agent's own folder and could say anything,
 * so the repository must also name this worktree. A command can't point the file at a repository of its choice.
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

/** Files that git executes or reads settings from, and the state of the main checkout. */
const OF_THE_REPOSITORY = ['hooks', 'config', 'config.worktree', 'modules', 'info', 'HEAD', 'index'];
