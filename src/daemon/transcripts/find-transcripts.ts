import { type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';

export interface FoundFile {
  path: string;
  size: number;
  mtimeMs: number;
  inode: number;
  /** When it was made, as far as the file system tells. One that was brought from elsewhere is at least as old as its last change. */
  bornMs: number;
}

/** `<config>/projects`; people keep it elsewhere and put a link there, and the watch tells of files by their real paths. */
export function realProjects(configDir: string): string {
  const folder = join(configDir, 'projects');
  try {
    return realpathSync(folder);
  } catch (error) {
    if (isOutOfReach(error)) return folder;
    throw error;
  }
}

/** Every transcript below the folder. */
export function findTranscripts(folder: string): FoundFile[] {
  return filesBelow(folder)
    .filter((path) => path.endsWith('.jsonl'))
    .flatMap((path) => lookAt(path) ?? []);
}

/** Every file below the folder, however deep. Links are not followed: they may lead anywhere. */
export function filesBelow(folder: string): string[] {
  return listFolder(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

/** The files in the folder itself. */
export function filesIn(folder: string): string[] {
  return listFolder(folder).flatMap((entry) => (entry.isFile() ? [join(folder, entry.name)] : []));
}

/** Undefined: it is gone, or no file. */
export function lookAt(path: string): FoundFile | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found?.isFile()) return undefined;
    const { size, mtimeMs, ino: inode, birthtimeMs } = found;
    return { path, size, mtimeMs, inode, bornMs: Math.min(birthtimeMs, mtimeMs) };
  } catch (error) {
    if (isOutOfReach(error)) return undefined;
    throw error;
  }
}

/**
 * Whose transcript it is, by its place: `<project>/<session>.jsonl`, `<project>/<session>/subagents/…/agent-<id>.jsonl`. Older
 * clients put those of subagents beside the session's, whose id only their lines tell.
 */
export function ownerByPath(projects: string, path: string): { sessionId: string | null; agentId: string | null } {
  const [, session, ...below] = relative(projects, path).split(sep);
  const name = basename(path, '.jsonl');
  const agentId = /^agent-(.+)$/.exec(name)?.[1] ?? null;
  if (below.length > 0 && session) return { sessionId: session, agentId: agentId ?? name };
  return { sessionId: agentId === null ? name : null, agentId };
}

function listFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isOutOfReach(error)) return [];
    throw error;
  }
}

export function isOutOfReach(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES' || code === 'EPERM' || code === 'ELOOP';
}
