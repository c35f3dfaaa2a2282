import { dirname, join, normalize } from 'node:path/posix';
import { hiddenCharacter } from '../../contract/hidden-characters.ts';

/** Inspects the disk: the real path of what exists, undefined if nothing does, an error if that can't be determined. */
export type RealPath = (path: string) => string | undefined;

export interface Surroundings {
  cwd?: string | undefined;
  home?: string | undefined;
  realPath: RealPath;
}

/** `problem` says why the path can't be known, `real` is where it leads, `written` what it says without `..` and `~`. */
export type ResolvedPath =
  | { written: string; real: string; problem?: undefined }
  | { written: string; real?: undefined; problem: string };

const PATH_MAX = 4096;

/** Where a path leads after resolving `~`, `..`, its base folder and every symbolic link. */
export function resolvePath(path: string, { cwd, home, realPath }: Surroundings): ResolvedPath {
  const odd = oddity(path);
  if (odd) return { written: path, problem: odd };
  const expanded = expandHome(path, home);
  if (expanded === undefined) return { written: path, problem: 'it starts with a variable or an unknown home folder' };
  if (!expanded.startsWith('/') && !cwd?.startsWith('/')) {
    return { written: path, problem: 'it is relative to an unknown folder' };
  }
  const absolute = expanded.startsWith('/') ? expanded : `${cwd}/${expanded}`;
  const written = trimSlash(normalize(absolute));
  // what these lead to depends on the calling process
  if (/^\/(proc|dev\/fd)(\/|$)/.test(written)) return { written, problem: 'it differs from process to process' };
  try {
    const real = realWithMissingTail(written, realPath);
    // `link/..` is the parent of the link's target for the kernel, and of the link itself for a program that normalizes first
    const followed = absolute.includes('/..') ? followEachStep(absolute, realPath) : real;
    if (followed !== real) return { written, problem: 'its `..` crosses a symbolic link' };
    if (/^\/(proc|dev\/fd)(\/|$)/.test(real)) return { written, problem: 'it differs from process to process' };
    return { written, real };
  } catch {
    return { written, problem: 'its symbolic links cannot be followed' };
  }
}

function oddity(path: string): string | undefined {
  if (path === '') return 'it is empty';
  if (path.length > PATH_MAX) return 'it is too long';
  if (hiddenCharacter(path)) return 'it contains invisible characters';
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(path)) return 'it is a URL';
  return undefined;
}

/** `$id.tsx` inside a path is a file name frameworks use; at its start, `$NAME` means a variable. */
function expandHome(path: string, home: string | undefined): string | undefined {
  const [, rest] = /^(?:~|\$HOME|\$\{HOME\})(\/.*|)$/s.exec(path) ?? [];
  if (rest !== undefined) return home?.startsWith('/') ? home + rest : undefined;
  return /^(~|\$\{|\$[A-Z_][A-Z\d_]*(\/|$))/.test(path) ? undefined : path;
}

/** A file about to be written doesn't exist yet: the deepest existing folder decides, and the rest is literal. */
function realWithMissingTail(path: string, realPath: RealPath): string {
  const tail: string[] = [];
  for (let folder = path; ; folder = dirname(folder)) {
    const real = realPath(folder);
    if (real !== undefined) return trimSlash(join(real, ...tail.reverse()));
    if (folder === '/') return path;
    tail.push(folder.slice(folder.lastIndexOf('/') + 1));
  }
}

function followEachStep(path: string, realPath: RealPath): string {
  let at = '/';
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    at = name === '..' ? dirname(at) : realWithMissingTail(join(at, name), realPath);
  }
  return at;
}

function trimSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
