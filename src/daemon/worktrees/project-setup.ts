import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { isAbsolute, join, normalize, relative, sep } from 'node:path';
import { z } from 'zod';
import type { ProjectSetup } from '../../contract/worktrees.ts';
import { WorktreeRefused } from './errors.ts';
import { type Git, splitZero } from './git.ts';
import { copyPaths } from './ignored-files.ts';

const SETUP_FILE = '.groundcontrol/worktree.json';
const INCLUDE_FILE = '.worktreeinclude';
const MAX_FILE_BYTES = 64 * 1024;
const MAX_COPIED = 2000;
export const DEFAULT_PORTS = 10;

const Commands = z.array(z.string().min(1).max(4000)).max(20).default([]);
const SetupFile = z
  .object({
    copy: z.array(z.string().min(1).max(500)).max(200).default([]),
    setup: Commands,
    teardown: Commands,
    ports: z.number().int().min(0).max(100).default(DEFAULT_PORTS),
  })
  .strict();

/**
 * The project's setup for new worktrees. Read from the main checkout, so an agent's branch can't change it. Commands run only after the
 * operator has consented to this exact text.
 */
export async function readProjectSetup(root: string, isAllowed: (hash: string) => boolean): Promise<ProjectSetup> {
  const text = await readFile(join(root, SETUP_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw bad(root, error.message);
  });
  const nothing = { project: root, file: null, hash: null, isAllowed: true };
  if (text === undefined) return { ...nothing, ...SetupFile.parse({}) };
  if (text.length > MAX_FILE_BYTES) throw bad(root, 'it is larger than 64 KB');
  const parsed = SetupFile.safeParse(parseJson(root, text));
  if (!parsed.success) throw bad(root, z.prettifyError(parsed.error).replaceAll('\n', ' '));
  for (const path of parsed.data.copy) checkInside(root, path);
  const hash = createHash('sha256').update(text).digest('hex');
  const hasCommands = parsed.data.setup.length + parsed.data.teardown.length > 0;
  return {
    project: root,
    file: join(root, SETUP_FILE),
    hash,
    ...parsed.data,
    isAllowed: !hasCommands || isAllowed(hash),
  };
}

function parseJson(root: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw bad(root, (error as Error).message);
  }
}

function bad(root: string, why: string): WorktreeRefused {
  return new WorktreeRefused('bad_setup', `${join(root, SETUP_FILE)} can't be used: ${why}`);
}

function checkInside(root: string, path: string): void {
  const clean = normalize(path);
  if (isAbsolute(path) || clean === '..' || clean.startsWith(`..${sep}`) || clean.split(sep)[0] === '.git')
    throw bad(root, `"copy" names ${JSON.stringify(path)}, which isn't a file of the project`);
}

/** Copies files that a fresh checkout lacks: those the project names, and those in `.worktreeinclude`. Returns the copied paths. */
export async function copyIntoWorktree(git: Git, { copy }: ProjectSetup, { from, to }: Copying): Promise<string[]> {
  const named = await Promise.all(copy.map(async (path) => ((await isInside(from, path)) ? [normalize(path)] : [])));
  const paths = [...new Set([...named.flat(), ...(await includedFiles(git, from))])].slice(0, MAX_COPIED);
  await copyPaths(paths, { from, to });
  return paths;
}

interface Copying {
  from: string;
  to: string;
}

/** Whether it exists and no link leads out of the project. */
async function isInside(root: string, path: string): Promise<boolean> {
  const found = await realpath(join(root, path)).catch(() => undefined);
  const way = found === undefined ? '..' : relative(await realpath(root), found);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Ignored files that match `.worktreeinclude`. Tracked ones are in the checkout anyway. */
async function includedFiles(git: Git, cwd: string): Promise<string[]> {
  const file = join(cwd, INCLUDE_FILE);
  if (!(await realpath(file).catch(() => undefined))) return [];
  const args = ['ls-files', '--others', '--ignored', `--exclude-from=${file}`, '-z'];
  const matching = splitZero((await git(args, { cwd })).text);
  if (matching.length === 0) return [];
  const ignored = await git(['check-ignore', '-z', '--stdin'], { cwd, input: matching.join('\0'), accept: [1] });
  return splitZero(ignored.text);
}
