import { readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';

export interface Place {
  root: string;
  branch: string | null;
}

/** The repository around a folder and the branch it is on, read from the files: no git program, no lock taken. */
export async function findPlace(cwd: string): Promise<Place | undefined> {
  for (let folder = cwd; isAbsolute(folder); folder = dirname(folder)) {
    const gitDir = await gitDirOf(join(folder, '.git'));
    if (gitDir) return { root: folder, branch: await branchOf(gitDir) };
    if (folder === dirname(folder)) return undefined;
  }
  return undefined;
}

/** `.git` is a folder, or in a worktree or submodule a file that names one. */
async function gitDirOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return undefined;
  if (found.isDirectory()) return path;
  const [, named] = /^gitdir: (.+)/.exec(await readFile(path, 'utf8').catch(() => '')) ?? [];
  return named ? resolve(dirname(path), named.trim()) : undefined;
}

async function branchOf(gitDir: string): Promise<string | null> {
  const head = (await readFile(join(gitDir, 'HEAD'), 'utf8').catch(() => '')).trim();
  const [, branch] = /^ref: refs\/heads\/(.+)/.exec(head) ?? [];
  return branch ?? (head ? head.slice(0, 8) : null);
}
