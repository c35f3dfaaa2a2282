import {
  closeSync,
  constants,
  type Dirent,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';

export interface FoundFile {
  path: string;
  size: number;
  mtimeMs: number;
  inode: number;
  /** When it was created, if the file system says. A file copied from elsewhere is at least as old as its last change. */
  bornMs: number;
}

/** `<config>/projects`. People keep it elsewhere and link to it, and the watch reports real paths. */
export function realProjects(configDir: string): string {
  const folder = join(configDir, 'projects');
  try {
    return realpathSync(folder);
  } catch (error) {
    if (isOutOfReach(error)) return folder;
    throw error;
  }
}

/** The folders that hold a `projects` folder: Claude Code's, and that of the built-in agent. */
export function foldersOf({ configDir, nativeDir }: { configDir: string; nativeDir?: string }): string[] {
  return nativeDir === undefined ? [configDir] : [configDir, nativeDir];
}

export interface FoundTranscripts {
  paths: string[];
  /** Folders that couldn't be read. */
  unreadable: Unreadable[];
}

export interface Unreadable {
  path: string;
  /** The system's error code: EACCES, EPERM. */
  reason: string;
}

/** Every transcript below the folders. None is opened: with fifty thousand, that alone takes half a second. */
export function findTranscripts(...roots: string[]): FoundTranscripts {
  const unreadable: Unreadable[] = [];
  const onUnreadable = (path: string, reason: string) => void unreadable.push({ path, reason });
  const paths: string[] = [];
  const onFile = (path: string) => void (path.endsWith('.jsonl') && paths.push(path));
  for (const root of roots)
    for (const project of projectFolders(root, onUnreadable)) walkFiles(project, onFile, onUnreadable);
  return { paths, unreadable };
}

/**
 * Project folders. One may be a link, since people keep them on other disks. Deeper links and links to files aren't followed, nor are links
 * to a folder that is already included.
 */
export function projectFolders(projects: string, onUnreadable?: OnUnreadable): string[] {
  const folders: string[] = [];
  const links: string[] = [];
  for (const entry of listFolder(projects, onUnreadable)) {
    if (entry.isDirectory()) folders.push(join(projects, entry.name));
    else if (entry.isSymbolicLink()) links.push(join(projects, entry.name));
  }
  const known = new Set(folders.map(realFolder));
  for (const link of links.toSorted()) {
    const real = realFolder(link);
    const isWithin = real === undefined || real === projects || real.startsWith(`${projects}${sep}`) || known.has(real);
    if (isWithin || projects.startsWith(`${real}${sep}`)) continue;
    known.add(real);
    folders.push(link);
  }
  return folders;
}

/** undefined: not a folder, or out of reach. */
function realFolder(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : undefined;
  } catch (error) {
    if (isOutOfReach(error)) return undefined;
    throw error;
  }
}

type OnUnreadable = (path: string, reason: string) => void;

/** Why an existing file or folder can't be read. undefined: it can, or it is gone. */
export function whyUnreadable(path: string): string | undefined {
  try {
    // access(2) checks the real user, which isn't always the one that opens files
    closeSync(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
    return undefined;
  } catch (error) {
    return deniedBy(error);
  }
}

function deniedBy(error: unknown): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EACCES' || code === 'EPERM' ? code : undefined;
}

/** Every file below the folder, at any depth. Links aren't followed: they may lead anywhere. */
export function filesBelow(folder: string): string[] {
  const paths: string[] = [];
  walkFiles(folder, (path) => paths.push(path));
  return paths;
}

function walkFiles(folder: string, onFile: (path: string) => void, onUnreadable?: OnUnreadable): void {
  for (const entry of listFolder(folder, onUnreadable)) {
    const path = `${folder}${sep}${entry.name}`;
    if (entry.isFile()) onFile(path);
    else if (entry.isDirectory()) walkFiles(path, onFile, onUnreadable);
  }
}

/** The files in the folder itself. */
export function filesIn(folder: string): string[] {
  return listFolder(folder).flatMap((entry) => (entry.isFile() ? [join(folder, entry.name)] : []));
}

export function toFoundFile(path: string, { size, mtimeMs, ino: inode, birthtimeMs }: Stats): FoundFile {
  return { path, size, mtimeMs, inode, bornMs: Math.min(birthtimeMs, mtimeMs) };
}

/** undefined: it is gone, or not a file. */
export function lookAt(path: string): FoundFile | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found?.isFile() ? toFoundFile(path, found) : undefined;
  } catch (error) {
    if (isOutOfReach(error)) return undefined;
    throw error;
  }
}

/**
 * Whose transcript it is, by its path: `<project>/<session>.jsonl`, `<project>/<session>/subagents/…/agent-<id>.jsonl`. Older clients put
 * subagents' transcripts next to the session's, and only their lines name it.
 */
export function ownerByPath(
  roots: readonly string[],
  path: string,
): { sessionId: string | null; agentId: string | null } {
  const projects = roots.find((root) => path.startsWith(`${root}${sep}`)) ?? roots[0] ?? '';
  const [, session, ...below] = partsBelow(projects, path);
  const name = path.slice(path.lastIndexOf(sep) + 1).replace(/\.jsonl$/, '');
  const agentId = /^agent-(.+)$/.exec(name)?.[1] ?? null;
  if (below.length > 0 && session) return { sessionId: session, agentId: agentId ?? name };
  return { sessionId: agentId === null ? name : null, agentId };
}

function partsBelow(folder: string, path: string): string[] {
  const start = `${folder}${sep}`;
  return (path.startsWith(start) ? path.slice(start.length) : relative(folder, path)).split(sep);
}

function listFolder(folder: string, onUnreadable?: OnUnreadable): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
    const reason = deniedBy(error);
    if (reason) onUnreadable?.(folder, reason);
    return [];
  }
}

export function isOutOfReach(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES' || code === 'EPERM' || code === 'ELOOP';
}
