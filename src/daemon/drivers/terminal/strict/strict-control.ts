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
  /** The client's folder: what its settings forbid also applies in projects. */
  configDir: string;
  port: () => number;
  /** False: this isn't the daemon, which may have had another port. */
  isRunning?: boolean;
}

export type StrictControl = ReturnType<typeof createStrictControl>;

const LOCAL: SettingsName = 'settings.local.json';

/**
 * Projects where no tool runs without us. The entry is in the project's own settings, stays there when we exit, and is rewritten at each
 * start because the port may differ.
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

  /** If several settings restrict hooks, each must allow us. */
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

  function check(path: string): StrictProject {
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
    list: (): StrictProject[] => paths.map(check),
    async set({ path, strict }: { path: string; strict: boolean }): Promise<StrictProject> {
      // A project that was moved or deleted can still be removed from the list.
      const root = !strict && paths.includes(path) ? path : await findStrictRoot(path);
      if (!strict) {
        if (existsSync(root)) erase(root);
        remember(paths.filter((known) => known !== root));
        return check(root);
      }
      await write(root);
      watching?.reset(root);
      remember([...paths, root]);
      const project = check(root);
      if (!(await isExposed(project.file))) return project;
      return {
        ...project,
        detail: `${project.detail} ${EXPOSED}`,
        fix: 'Add .claude/settings.local.json to .gitignore.',
      };
    },
    /** Rewrites all entries for this port and reports those that couldn't be. */
    onStart: writeAll,
    /** Restores what another program removes. Without our entry the project is open, and nothing else would show it. */
    watch(options: StrictWatchOptions): StrictWatch {
      const fileOf = (path: string) => settingsPath(folderOf(path), LOCAL);
      watching = watchStrict({ ...options, paths: () => paths, fileOf, check, write });
      return watching;
    },
    /** A client too old for an entry that fails closed would run tools anyway, so all entries are written for the oldest. */
    async onClient(version: unknown, onError: (error: unknown, path: string) => void): Promise<void> {
      if (typeof version === 'string' && isBefore(version, ON_FAILURE_SINCE)) await writeAll(onError);
    },
  };
}

/** The client would run no hooks at all, so it wouldn't ask us. */
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

/** A backup of text that is back in place is useless, and a project is no place for leftovers. */
function tidy(folder: string): void {
  const backup = backupPath(folder, LOCAL);
  const text = readSettings(folder, LOCAL);
  if (existsSync(backup) && readFileSync(backup, 'utf8') === text) unlinkSync(backup);
  try {
    rmdirSync(folder);
  } catch (error) {
    // It contains something else, or never existed.
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
  }
}
