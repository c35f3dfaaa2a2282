import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ignore } from './safe-files.ts';

const MAX_DEPTH = 5;
const MAX_FILES = 1000;

/** Markdown files in Claude Code's agents folder and its subfolders. */
export async function listClaudeFiles(folder: string, depth = 0): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(ignore('ENOENT', 'ENOTDIR'));
  const found: string[] = [];
  for (const entry of (entries ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth < MAX_DEPTH) found.push(...(await listClaudeFiles(path, depth + 1)));
    else if (entry.name.endsWith('.md') && !entry.isDirectory()) found.push(path);
    if (found.length >= MAX_FILES) break;
  }
  return found;
}
