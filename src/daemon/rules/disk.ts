import { lstatSync, opendirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Throws for a loop, for what we may not inspect, and for a dangling link: writing through such a link creates a file where it points, so
 * it must not pass for a file that doesn't exist yet.
 */
export function realPathOnDisk(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw new Error(`${path} is a link to nothing`);
  return undefined;
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

const MAX_NAMES = 5000;

/** The names in a folder. undefined: they can't be listed, or there are too many to look at. */
export function namesOnDisk(folder: string): string[] | undefined {
  try {
    const dir = opendirSync(folder);
    try {
      const names: string[] = [];
      for (let entry = dir.readSync(); entry; entry = dir.readSync()) {
        names.push(entry.name);
        if (names.length > MAX_NAMES) return undefined;
      }
      return names;
    } finally {
      dir.closeSync();
    }
  } catch {
    return undefined;
  }
}

/** The branch that is checked out in a folder, `HEAD` if none is. undefined: that can't be told. */
export function branchOnDisk(folder: string): string | undefined {
  try {
    const gitDir = gitDirOf(folder);
    const head = gitDir && join(gitDir, 'HEAD');
    // a link is another way to say what is checked out
    if (!head || !lstatSync(head).isFile()) return undefined;
    const text = readFileSync(head, 'utf8');
    const [, branch] = /^ref: refs\/heads\/([^\n]+)\n?$/.exec(text) ?? [];
    if (branch !== undefined) return branch === '.invalid' ? undefined : branch;
    return /^[\da-f]{40,64}\n?$/.test(text) ? 'HEAD' : undefined;
  } catch {
    return undefined;
  }
}

function gitDirOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, '.git');
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) return path;
    if (found?.isFile()) {
      const [, named] = /^gitdir: (.+)/.exec(readFileSync(path, 'utf8')) ?? [];
      return named === undefined ? undefined : resolve(at, named.trim());
    }
    if (found || at === dirname(at)) return undefined;
  }
}
