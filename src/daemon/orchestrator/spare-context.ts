import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseJson } from '../../contract/parse-json.ts';
import { isRecord } from '../../contract/values.ts';
import { type Git, SUBMODULES } from '../worktrees/git.ts';

/** Someone waits for the session: in a repository that takes longer, it starts without the spare. */
const GIT_MS = 1000;
const IMPORT_LEVELS = 5;

const MEMORY = ['CLAUDE.md', 'CLAUDE.local.md', join('.claude', 'CLAUDE.md')];
const SETTINGS = ['settings.json', 'settings.local.json'];
const FOLDERS = ['agents', 'commands', 'skills', 'rules', 'output-styles', 'workflows'];
const MANAGED = [
  '/etc/claude-code/managed-settings.json',
  '/Library/Application Support/ClaudeCode/managed-settings.json',
];
export interface ContextPlaces {
  configDir: string;
  git: Git;
  /** Our own hooks know a spare, and say nothing. */
  isOurHook: (hook: unknown) => boolean;
  /** Events at which a client runs hooks before its first prompt. */
  startEvents: readonly string[];
  now: () => number;
  gitMs?: number;
}

/**
 * A fingerprint of what a client reads in a folder when it starts: instructions, settings, and the state of the repository. A spare is
 * used only while it is the same, so its session knows no less than one that starts cold. null: a client must not start there ahead of
 * time, because hooks, plugins or MCP servers would run for a session that may never be.
 */
export async function readContext(
  cwd: string,
  { configDir, git, isOurHook, startEvents, now, gitMs = GIT_MS }: ContextPlaces,
): Promise<string | null> {
  const above = parentsOf(cwd);
  const settings = [
    ...MANAGED,
    ...SETTINGS.map((name) => join(configDir, name)),
    ...above.flatMap((folder) => SETTINGS.map((name) => join(folder, '.claude', name))),
  ];
  for (const path of settings)
    if (runsAtStart(parseJson((await read(path)) ?? ''), { isOurHook, startEvents })) return null;
  for (const folder of above) if (await statOf(join(folder, '.mcp.json'))) return null;

  const memory = [join(configDir, 'CLAUDE.md'), ...above.flatMap((folder) => MEMORY.map((name) => join(folder, name)))];
  const folders = [configDir, ...above.map((folder) => join(folder, '.claude'))].flatMap((folder) =>
    FOLDERS.map((name) => join(folder, name)),
  );
  const notes = join(configDir, 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'), 'memory');
  const repository = await git(['status', '--porcelain=v2', '--branch', '-z', SUBMODULES], {
    cwd,
    accept: [128],
    timeoutMs: gitMs,
  }).catch(() => undefined);
  if (!repository || repository.isCut) return null;
  const seen = [
    new Date(now()).toDateString(),
    repository.text,
    ...(await Promise.all(settings.map(stamp))),
    ...(await Promise.all(memory.map((path) => stampOfMemory(path)))),
    ...(await Promise.all([...folders, notes].map(stampOfFolder))),
  ];
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex');
}

function runsAtStart(
  settings: unknown,
  { isOurHook, startEvents }: Pick<ContextPlaces, 'isOurHook' | 'startEvents'>,
): boolean {
  if (!isRecord(settings)) return false;
  const plugins = isRecord(settings.enabledPlugins) ? Object.values(settings.enabledPlugins) : [];
  if (plugins.some((value) => value !== false)) return true;
  const hooks = isRecord(settings.hooks) ? settings.hooks : {};
  return startEvents.some((event) => hooksOf(hooks[event]).some((hook) => !isOurHook(hook)));
}

const hooksOf = (matchers: unknown): unknown[] =>
  (Array.isArray(matchers) ? matchers : []).flatMap((matcher) =>
    isRecord(matcher) && Array.isArray(matcher.hooks) ? matcher.hooks : [matcher],
  );

const stamp = async (path: string): Promise<string | null> => {
  const found = await statOf(path);
  return found ? `${found.mtimeMs} ${found.size} ${found.ino}` : null;
};

/** Instructions can import other files: `@docs/style.md`. */
async function stampOfMemory(path: string, level = 0): Promise<unknown> {
  const text = level <= IMPORT_LEVELS ? await read(path) : undefined;
  if (text === undefined) return null;
  const imported = [...text.matchAll(/(?:^|\s)@(~?[^\s`]+)/g)].map(([, name = '']) =>
    name.startsWith('~/') ? join(homedir(), name.slice(2)) : resolve(dirname(path), name),
  );
  return [await stamp(path), ...(await Promise.all(imported.map((one) => stampOfMemory(one, level + 1))))];
}

async function stampOfFolder(folder: string): Promise<unknown> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return Promise.all(names.toSorted().map(async (name) => [name, await stamp(join(folder, name))]));
}

function parentsOf(cwd: string): string[] {
  const parent = dirname(cwd);
  return parent === cwd ? [cwd] : [cwd, ...parentsOf(parent)];
}

const statOf = (path: string) => stat(path).catch(() => undefined);

async function read(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
