import { existsSync, readFileSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { StrictProject } from '../../../../contract/projects.ts';
import type { DataDir } from '../../../data-dir.ts';
import { DomainError } from '../../../errors.ts';
import { findClientVersion } from '../settings/client-version.ts';
import { findHooks, installHooks, removeHooks } from '../settings/edit-settings.ts';
import { isExposed } from '../settings/exposure.ts';
import { isBefore } from '../settings/hook-entries.ts';
import { allowsUrl, readHookPolicy } from '../settings/hook-policy.ts';
import { hasToken, readStrictHook } from '../settings/own-hook.ts';
import { isLoopbackProxied } from '../settings/proxied-loopback.ts';
import {
  backupPath,
  editSettingsFile,
  readSettings,
  type SettingsName,
  settingsPath,
} from '../settings/settings-file.ts';
import { ON_FAILURE_SINCE, strictEntries, strictUrl } from './strict-entry.ts';
import { findStrictRoot } from './strict-root.ts';
import { type StrictWatch, type StrictWatchOptions, watchStrict } from './strict-watch.ts';

export interface StrictControlOptions {
  dataDir: DataDir;
  /** The client's folder: what its settings forbid holds in projects too. */
  configDir: string;
  port: () => number;
  /** False: this is not the daemon, which may have had another port. */
  isRunning?: boolean;
}

export type StrictControl = ReturnType<typeof createStrictControl>;

const LOCAL: SettingsName = 'settings.local.json';

/**
 * Projects in which no tool runs without us. The entry is in the project's own settings, stays there when we leave, and is
 * written again at each start: the port may be another one.
 */
export function createStrictControl({ dataDir, configDir, port, isRunning = true }: StrictControlOptions) {
  let paths = dataDir.preferences().strictProjects;
  let watching: StrictWatch | undefined;
  const remember = (next: string[]) => {
    paths = [...new Set(next)].sort();
    dataDir.savePreferences({ strictProjects: paths });
  };

  async function write(path: string): Promise<void> {
    const { hookToken: token } = dataDir.credentials();
    const { tokenFile } = dataDir;
    const clientVersion = await findClientVersion({ configDir });
    const file = settingsPath(folderOf(path), LOCAL);
    const edit = (before: string | undefined) => {
      const policy = policyOf(path);
      if (policy.disabledIn) throw new StrictForbidden(policy.disabledIn);
      const noHttp = isLoopbackProxied({ ...process.env, ...policy.env }, port()) || !policy.allows(strictUrl(port()));
      return installHooks(
        before,
        strictEntries({ port: port(), token, tokenFile, clientVersion, noHttp }),
        file,
        readStrictHook,
      );
    };
    const isOriginal = (before: string) => findHooks(before, file, readStrictHook).length === 0;
    editSettingsFile({ configDir: folderOf(path), name: LOCAL, edit, isOriginal });
  }

  function erase(path: string): void {
    const folder = folderOf(path);
    const file = settingsPath(folder, LOCAL);
    const edit = (before: string | undefined) => removeHooks(before, file, readStrictHook);
    editSettingsFile({ configDir: folder, name: LOCAL, edit, isOriginal: () => false });
    tidy(folder);
  }

  /** Where more than one source says something about hooks, each must let us. */
  function policyOf(path: string) {
    const sources: [string, SettingsName][] = [
      [configDir, 'settings.json'],
      [folderOf(path), 'settings.json'],
      [folderOf(path), LOCAL],
    ];
    const policies = sources.map(([folder, name]) => {
      const file = settingsPath(folder, name);
      return { file, ...readHookPolicy(readSettings(folder, name), file) };
    });
    return {
      disabledIn: policies.find(({ disableAllHooks }) => disableAllHooks)?.file,
      env: Object.assign({}, ...policies.map(({ env }) => env)) as Record<string, string>,
      allows: (url: string) => policies.every((policy) => allowsUrl(policy, url)),
    };
  }

  function look(path: string): StrictProject {
    const file = settingsPath(folderOf(path), LOCAL);
    const project = { path, file };
    if (!paths.includes(path)) return { ...project, state: 'off', detail: `${path} isn't strict.`, fix: null };
    try {
      return { ...project, ...judge(path, file) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { ...project, state: 'broken', detail: error.message, fix: `Fix ${file}, then run ${again(path)}` };
    }
  }

  function judge(path: string, file: string): Pick<StrictProject, 'state' | 'detail' | 'fix'> {
    if (!existsSync(path)) return broken(`${path} is gone.`, `Forget it: gctl strict off ${path}`);
    const { disabledIn } = policyOf(path);
    if (disabledIn) return broken(new StrictForbidden(disabledIn).message, `Remove "disableAllHooks" there.`);
    const [entry] = findHooks(readSettings(folderOf(path), LOCAL), file, readStrictHook);
    if (!entry) return broken(`Ground Control's entry is missing from ${file}.`, `Restore it: ${again(path)}`);
    const token = dataDir.knownCredentials()?.hookToken;
    const isOurs = token !== undefined && hasToken(entry, { token, tokenFile: dataDir.tokenFile });
    if (!isOurs || (isRunning && entry.port !== port()))
      return broken(`The entry in ${file} is for another daemon, so no tool runs there.`, again(path));
    return { state: 'on', detail: `No tool runs in ${path} unless Ground Control is running.`, fix: null };
  }

  async function writeAll(onError: (error: unknown, path: string) => void): Promise<void> {
    for (const path of paths) {
      if (existsSync(path)) await write(path).catch((error) => onError(error, path));
    }
  }

  return {
    any: () => paths.length > 0,
    list: (): StrictProject[] => paths.map(look),
    async set({ path, strict }: { path: string; strict: boolean }): Promise<StrictProject> {
      // one that was moved or deleted can still be taken off the list
      const root = !strict && paths.includes(path) ? path : await findStrictRoot(path);
      if (!strict) {
        if (existsSync(root)) erase(root);
        remember(paths.filter((known) => known !== root));
        return look(root);
      }
      await write(root);
      watching?.reset(root);
      remember([...paths, root]);
      const project = look(root);
      if (!(await isExposed(project.file))) return project;
      return {
        ...project,
        detail: `${project.detail} ${EXPOSED}`,
        fix: 'Add .claude/settings.local.json to .gitignore.',
      };
    },
    /** Writes all entries again, for this port; which of them could not be is told. */
    onStart: writeAll,
    /** Puts back what another program takes out. Without our entry the project is open, and nothing else would tell. */
    watch(options: StrictWatchOptions): StrictWatch {
      const fileOf = (path: string) => settingsPath(folderOf(path), LOCAL);
      watching = watchStrict({ ...options, paths: () => paths, fileOf, look, write });
      return watching;
    },
    /** One that is too old for an entry that fails closed would run on: all are written for the oldest. */
    async onClient(version: unknown, onError: (error: unknown, path: string) => void): Promise<void> {
      if (typeof version === 'string' && isBefore(version, ON_FAILURE_SINCE)) await writeAll(onError);
    },
  };
}

/** The client would run no hook at all, and so not ask us. */
class StrictForbidden extends DomainError {
  constructor(file: string) {
    super(
      'project.hooks_disabled',
      409,
      `"disableAllHooks" is on in ${file}, so Claude Code wouldn't ask Ground Control.`,
      {
        file,
      },
    );
  }
}

const EXPOSED = "Its settings contain the hook token, and git doesn't ignore them.";

const folderOf = (path: string): string => join(path, '.claude');

const again = (path: string): string => `gctl strict on ${path}`;

const broken = (detail: string, fix: string) => ({ state: 'broken' as const, detail, fix });

/** The copy of a text that is there again is of no use, and a project is no place to leave things in. */
function tidy(folder: string): void {
  const backup = backupPath(folder, LOCAL);
  const text = readSettings(folder, LOCAL);
  if (existsSync(backup) && readFileSync(backup, 'utf8') === text) unlinkSync(backup);
  try {
    rmdirSync(folder);
  } catch (error) {
    // there is something else in it, or there never was one
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
  }
}
