import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** Where the agent works, and which files it has seen. */
export class Workspace {
  /** Never changes: the sandbox, searches and paths of files are about this folder. */
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

  /** As a person would write it. */
  show(path: string): string {
    const inside = relative(this.root, path);
    return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? path : inside;
  }

  remember(realPath: string, content: Buffer): void {
    this.#seen.set(realPath, digest(content));
  }

  /** `unread`: the agent never saw this file. `changed`: it saw other content. */
  state(realPath: string, content: Buffer): 'current' | 'changed' | 'unread' {
    const seen = this.#seen.get(realPath);
    if (seen === undefined) return 'unread';
    return seen === digest(content) ? 'current' : 'changed';
  }
}

/** The file that a path leads to. Of a file that does not exist yet: in the real folder that it would be in. */
export async function realTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const parent = dirname(path);
    return parent === path ? path : join(await realTarget(parent), basename(path));
  }
}

/** Content and not the time of the last change: a formatter touches files without changing them. */
function digest(content: Buffer): string {
  return createHash('sha256').update(content).digest('base64');
}
