import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** Where the agent works, and which files it has read. */
export class Workspace {
  /** Never changes: the sandbox and searches use this folder. */
  readonly root: string;
  /** Where the next command runs. Of no meaning for other tools: permission is judged by where a path leads from the root. */
  cwd: string;
  /** Digest of each file when the agent last read or wrote it, by real path. */
  readonly #seen = new Map<string, string>();

  constructor(root: string) {
    this.root = root;
    this.cwd = root;
  }

  resolve(path: string): string {
    return resolve(this.root, path);
  }

  /** As a person would write the path. */
  show(path: string): string {
    const inside = relative(this.root, path);
    return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? path : inside;
  }

  remember(realPath: string, content: Buffer): void {
    this.#seen.set(realPath, digest(content));
  }

  /** `unread`: the agent never read this file. `changed`: the content differs from what it read. */
  state(realPath: string, content: Buffer): 'current' | 'changed' | 'unread' {
    const seen = this.#seen.get(realPath);
    if (seen === undefined) return 'unread';
    return seen === digest(content) ? 'current' : 'changed';
  }
}

/** The file that a path resolves to. For a file that doesn't exist yet, its path in the resolved parent folder. */
export async function realTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const parent = dirname(path);
    return parent === path ? path : join(await realTarget(parent), basename(path));
  }
}

/** Compares content instead of mtime, because formatters touch files without changing them. */
function digest(content: Buffer): string {
  return createHash('sha256').update(content).digest('base64');
}
