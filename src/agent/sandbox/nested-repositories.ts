import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const DEEPEST = 12;

/**
 * Every `.git` below a folder. The rules that protect hooks are fixed when a command starts, so they don't cover a repository that the
 * command creates.
 */
export async function findRepositories(root: string): Promise<Set<string>> {
  const found = new Set<string>();
  async function visit(folder: string, depth: number): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const folders: string[] = [];
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.name === '.git') found.add(path);
      else if (entry.isDirectory() && depth < DEEPEST) folders.push(path);
    }
    await Promise.all(folders.map((path) => visit(path, depth + 1)));
  }
  await visit(root, 0);
  return found;
}

/** Renames repositories that are new. Returns their paths. */
export async function setAside(root: string, before: Set<string>): Promise<string[]> {
  const fresh = [...(await findRepositories(root))].filter((path) => !before.has(path));
  for (const path of fresh) {
    const aside = `${path}-from-sandbox`;
    if (await stat(aside).catch(() => undefined)) await rm(aside, { recursive: true, force: true });
    await rename(path, aside);
  }
  return fresh;
}
