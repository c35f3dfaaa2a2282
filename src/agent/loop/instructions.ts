import { readFile, realpath } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import type { PromptBlock } from './conversation.ts';

const NAMES = ['CLAUDE.md', 'AGENTS.md', 'CLAUDE.local.md'];
const LONGEST = 64 * 1024;

interface InstructionFile {
  path: string;
  text: string;
}

/** CLAUDE.md and AGENTS.md from the repository root down to `cwd`. The nearest file comes last, so it takes precedence. */
export async function readInstructions(cwd: string): Promise<InstructionFile[]> {
  const found: InstructionFile[] = [];
  const seen = new Set<string>();
  for (const folder of await foldersDownTo(cwd)) {
    for (const name of NAMES) {
      const path = join(folder, name);
      const text = await readIfThere(path);
      if (text === undefined) continue;
      const real = await realpath(path);
      // AGENTS.md is often a link to CLAUDE.md, or a copy of it
      if (seen.has(real) || found.some((file) => file.text === text)) continue;
      seen.add(real);
      found.push({ path, text });
    }
  }
  return found;
}

/** The start of a conversation. It goes in the first message because the system prompt must not change during a session, and these files do. */
export async function openingBlocks(cwd: string, today: string): Promise<PromptBlock[]> {
  const files = (await readInstructions(cwd)).map(({ path, text }) => `Instructions from ${path}:\n\n${text}`);
  const environment = `Working directory: ${cwd}\nPlatform: ${platform()}\nDate: ${today}`;
  const text = `<system-reminder>\n${[environment, ...files].join('\n\n')}\n</system-reminder>`;
  return [{ type: 'text', text }];
}

async function foldersDownTo(cwd: string): Promise<string[]> {
  const folders = [cwd];
  for (let folder = cwd; !(await isRepository(folder)) && dirname(folder) !== folder; folder = dirname(folder))
    folders.unshift(dirname(folder));
  // outside a repository there is no root to stop at, so only read the folder itself
  return (await isRepository(folders[0]!)) ? folders : [cwd];
}

async function isRepository(folder: string): Promise<boolean> {
  return realpath(join(folder, '.git')).then(
    () => true,
    () => false,
  );
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    return text.length > LONGEST ? `${text.slice(0, LONGEST)}\n[cut off after ${LONGEST} characters]` : text;
  } catch (error) {
    if (['ENOENT', 'EISDIR', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
