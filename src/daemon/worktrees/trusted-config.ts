import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/**
 * Repository settings that are purely descriptive. Everything else is dropped: filters, merge and diff drivers, hooks, a file monitor,
 * included files, a worktree elsewhere. Agents can write to a repository's configuration, and git runs the programs it names.
 */
const DESCRIPTIVE = [
  /^core\.(repositoryformatversion|bare|filemode|symlinks|ignorecase|precomposeunicode|protecthfs|protectntfs|autocrlf|eol|safecrlf|sparsecheckout|sparsecheckoutcone|longpaths|trustctime|checkstat|untrackedcache|sharedrepository|logallrefupdates|bigfilethreshold)$/,
  /^extensions\.(objectformat|compatobjectformat|refstorage|partialclone|noop|preciousobjects|relativeworktrees)$/,
  /^(user|author|committer)\.(name|email|useconfigonly)$/,
  /^branch\..*\.(remote|merge)$/s,
  /^remote\..*\.(fetch|promisor|partialclonefilter)$/s,
  /^(merge|diff)\.(renames|renamelimit|directoryrenames|algorithm)$/,
];

/** Shared parts of a repository. Git creates some of them, which fails through a dangling link. */
const FOLDERS = ['objects', 'refs', 'logs', 'info', 'worktrees'];
const OTHERS = ['packed-refs', 'shallow', 'modules', 'reftable', 'lfs'];

interface Stand {
  folder: string;
  /** Of the configuration it was made from. */
  version: string;
}

/**
 * Keeps a stand-in folder for each repository's shared git folder (`GIT_COMMON_DIR`). Everything in it links to the real one, except the
 * configuration, which has only the descriptive settings. Git never reads the repository's own configuration, so nothing can change between
 * check and use.
 */
export class TrustedConfig {
  readonly #folder: string;
  readonly #listConfig: (file: string) => Promise<string>;
  readonly #stands = new Map<string, Promise<Stand>>();

  constructor({ folder, listConfig }: { folder: string; listConfig: (file: string) => Promise<string> }) {
    this.#folder = folder;
    this.#listConfig = listConfig;
  }

  /** The environment for git in a folder. Outside a repository, git finds none. */
  async envFor(cwd: string): Promise<Record<string, string>> {
    const commonDir = await findCommonDir(cwd);
    if (commonDir === undefined) return { GIT_DIR: '/dev/null' };
    const version = await versionOf(join(commonDir, 'config'));
    const before = await this.#stands.get(commonDir)?.catch(() => undefined);
    if (before?.version === version) return { GIT_COMMON_DIR: before.folder };
    const made = this.#make(commonDir, version);
    this.#stands.set(commonDir, made);
    return { GIT_COMMON_DIR: (await made).folder };
  }

  async #make(commonDir: string, version: string): Promise<Stand> {
    // named `.git` so that git looks for the checkout around it, not in it
    const folder = join(this.#folder, createHash('sha256').update(commonDir).digest('hex').slice(0, 16), '.git');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const name of FOLDERS) await mkdir(join(commonDir, name), { recursive: true });
    for (const name of [...FOLDERS, ...OTHERS]) await link(join(commonDir, name), join(folder, name));
    const listed = await this.#listConfig(join(commonDir, 'config'));
    const draft = join(folder, `config-${process.hrtime.bigint()}`);
    await writeFile(draft, describe(listed), { mode: 0o600 });
    await rename(draft, join(folder, 'config'));
    return { folder, version };
  }
}

/** The shared git folder of the repository that contains a folder, located through files as git does it. */
export async function findCommonDir(cwd: string): Promise<string | undefined> {
  for (let folder = cwd; isAbsolute(folder); folder = dirname(folder)) {
    const commonDir = (await commonDirOf(join(folder, '.git'))) ?? (await commonDirOf(folder));
    if (commonDir !== undefined) return commonDir;
    if (folder === dirname(folder)) return undefined;
  }
  return undefined;
}

async function commonDirOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return undefined;
  const [, named] = found.isFile() ? (/^gitdir: (.+)/.exec(await readText(path)) ?? []) : [];
  const gitDir = found.isFile() ? named && resolve(dirname(path), named.trim()) : path;
  if (!gitDir || !(await exists(join(gitDir, 'HEAD')))) return undefined;
  const shared = (await readText(join(gitDir, 'commondir'))).trim();
  const commonDir = shared === '' ? gitDir : resolve(gitDir, shared);
  const isWhole = (await exists(join(commonDir, 'objects'))) && (await exists(join(commonDir, 'refs')));
  return isWhole ? realpath(commonDir) : undefined;
}

/** A configuration file with the descriptive settings from git's `-z` output. */
export function describe(listed: string): string {
  const lines: string[] = [];
  for (const entry of listed.split('\0')) {
    const at = entry.indexOf('\n');
    const key = at < 0 ? entry : entry.slice(0, at);
    if (!DESCRIPTIVE.some((pattern) => pattern.test(key))) continue;
    const [section, name] = [key.slice(0, key.indexOf('.')), key.slice(key.lastIndexOf('.') + 1)];
    const middle = key.slice(section.length + 1, Math.max(section.length + 1, key.length - name.length - 1));
    const quoted = (text: string) => text.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
    lines.push(middle === '' ? `[${section}]` : `[${section} "${middle.replaceAll(/["\\]/g, '\\$&')}"]`);
    lines.push(at < 0 ? `\t${name}` : `\t${name} = "${quoted(entry.slice(at + 1))}"`);
  }
  return `${lines.join('\n')}\n`;
}

async function versionOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return found ? `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}` : 'none';
}

async function link(target: string, path: string): Promise<void> {
  await symlink(target, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

const readText = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined;
