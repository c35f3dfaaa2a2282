import { cp, lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Removal } from '../../contract/worktrees.ts';
import { type Git, splitZero } from './git.ts';

/** Folders that a build or an install recreates. */
const REBUILDABLE = new Set([
  'node_modules',
  'bower_components',
  '.venv',
  'venv',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.tox',
  'target',
  'dist',
  'build',
  'out',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.turbo',
  '.parcel-cache',
  '.cache',
  '.gradle',
  'coverage',
  'vendor',
  'Pods',
  'DerivedData',
]);
const MAX_KEPT_BYTES = 512 * 2 ** 20;
const MAX_LISTED = 500;

/** Ignored files that would be deleted with a checkout: those a snapshot keeps, and those it doesn't. */
export async function sortIgnored(git: Git, cwd: string): Promise<Removal['ignored']> {
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z', '--', ':/'];
  const paths = splitZero((await git(args, { cwd })).text).map((path) => path.replace(/\/$/, ''));
  const sorted: Removal['ignored'] = { kept: [], deleted: [], tooLarge: [] };
  let left = MAX_KEPT_BYTES;
  let folder = '';
  for (const path of paths.sort()) {
    // git lists a folder of only ignored files as well as the files in it
    if (folder !== '' && path.startsWith(`${folder}/`)) continue;
    folder = path;
    if (REBUILDABLE.has(basename(path))) {
      sorted.deleted.push(path);
      continue;
    }
    const bytes = await sizeOf(join(cwd, path), left);
    if (bytes > left) sorted.tooLarge.push(path);
    else {
      left -= bytes;
      sorted.kept.push(path);
    }
  }
  return sorted;
}

/** Stops counting past `limit`. */
async function sizeOf(path: string, limit: number): Promise<number> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return 0;
  if (!found.isDirectory()) return found.size;
  let total = 0;
  for (const name of await readdir(path)) {
    if (REBUILDABLE.has(name)) continue;
    total += await sizeOf(join(path, name), limit - total);
    if (total > limit) break;
  }
  return total;
}

/** Copies files and links as they are, without rebuildable folders. Skips sockets and pipes, which hold no data. */
export async function copyPaths(paths: readonly string[], { from, to }: { from: string; to: string }): Promise<void> {
  for (const path of paths) {
    const source = join(from, path);
    if (!(await lstat(source).catch(() => undefined))) continue;
    await cp(source, join(to, path), {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      force: true,
      filter: async (one) => {
        const found = await lstat(one).catch(() => undefined);
        // a submodule's git link would point to a deleted folder
        if (!found || basename(one) === '.git') return false;
        if (found.isDirectory()) return !REBUILDABLE.has(basename(one)) || dirname(one) === dirname(source);
        return found.isFile() || found.isSymbolicLink();
      },
    });
  }
}

/** The first few of many, for a dialog. */
export function forShow(ignored: Removal['ignored']): Removal['ignored'] {
  const cut = (paths: string[]) =>
    paths.length > MAX_LISTED ? [...paths.slice(0, MAX_LISTED), `… and ${paths.length - MAX_LISTED} more`] : paths;
  return { kept: cut(ignored.kept), deleted: cut(ignored.deleted), tooLarge: cut(ignored.tooLarge) };
}
