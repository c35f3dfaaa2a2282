import { copyFile, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Git, splitZero } from './git.ts';

/** Everything in a checkout at one moment, as a tree: committed, staged, changed and untracked. Ignored files are left out. */
export interface CheckoutTree {
  tree: string;
  head: string;
  /** What was staged, if it is neither what is committed nor what is in the files; null if files are in conflict. */
  staged: string | null;
}

/** Writes objects to a separate folder, so that reading a checkout leaves nothing in the repository. */
export interface Quarantine {
  folder: string;
  env: Record<string, string>;
}

export async function makeQuarantine(git: Git, cwd: string, parent: string): Promise<Quarantine> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(parent, 'objects-'));
  const { text } = await git(['rev-parse', '--path-format=absolute', '--git-path', 'objects'], {
    cwd,
    isAboutRepository: true,
  });
  return { folder, env: { GIT_OBJECT_DIRECTORY: folder, GIT_ALTERNATE_OBJECT_DIRECTORIES: text.trim() } };
}

/** Reads the checkout through a copy of its index, so the agent's index stays unchanged and unlocked. `env` decides where the objects go. */
export async function readCheckout(
  git: Git,
  { cwd, scratch, env = {} }: { cwd: string; scratch: string; env?: Record<string, string> | undefined },
): Promise<CheckoutTree> {
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(scratch, 'index-'));
  try {
    const index = join(folder, 'index');
    const { text } = await git(['rev-parse', '--path-format=absolute', '--git-path', 'index'], { cwd });
    // an empty repository has no index
    await copyFile(text.trim(), index).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    const own = { ...env, GIT_INDEX_FILE: index };
    const head = (await git(['rev-parse', 'HEAD'], { cwd })).text.trim();
    const before = await git(['write-tree'], { cwd, env: own, accept: [128] });
    await addAll(git, { cwd, env: own });
    const tree = (await git(['write-tree'], { cwd, env: own })).text.trim();
    const committed = (await git(['rev-parse', 'HEAD^{tree}'], { cwd })).text.trim();
    const staged = before.code === 0 ? before.text.trim() : null;
    return { tree, head, staged: staged === tree || staged === committed ? null : staged };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** `git add -A`, but without entering submodules, where git would use their configuration. */
async function addAll(git: Git, { cwd, env }: { cwd: string; env: Record<string, string> }): Promise<void> {
  const root = (await git(['rev-parse', '--show-toplevel'], { cwd })).text.trim();
  const skipped: string[] = [];
  for (const path of await listSubmodules(git, { cwd: root, env })) {
    const place = join(root, path);
    const head = (await stat(join(place, '.git')).catch(() => undefined))
      ? await git(['rev-parse', '--verify', '--quiet', 'HEAD'], { cwd: place, accept: [1, 128] })
      : undefined;
    const hasFiles = ((await readdir(place).catch(() => undefined)) ?? ['gone']).length > 0;
    if (head?.code === 0)
      await git(['update-index', '--cacheinfo', `160000,${head.text.trim()},${path}`], { cwd: root, env });
    else if (hasFiles) {
      await git(['update-index', '--force-remove', '--', path], { cwd: root, env });
      continue;
    }
    skipped.push(`:(top,exclude,literal)${path}`);
  }
  const input = [':/', ...skipped].join('\0');
  await git(['add', '-A', '--pathspec-from-file=-', '--pathspec-file-nul'], { cwd: root, env, input });
}

/** Paths of submodules, whether checked out or not. */
export async function listSubmodules(
  git: Git,
  { cwd, env }: { cwd: string; env?: Record<string, string> | undefined },
): Promise<string[]> {
  const { text } = await git(['ls-files', '--stage', '-z', '--', ':/'], { cwd, env });
  return splitZero(text).flatMap((line) => (line.startsWith('160000 ') ? [line.slice(line.indexOf('\t') + 1)] : []));
}
