import { join } from 'node:path';
import { DomainError } from '../../../errors.ts';
import { findStrictRoot } from '../strict/strict-root.ts';
import { readHookPolicy } from './hook-policy.ts';
import { readSettings, type SettingsName, settingsPath } from './settings-file.ts';

const NAMES: SettingsName[] = ['settings.json', 'settings.local.json'];

/** Settings files of the projects around these folders that disable all hooks, including ours. */
export async function findDisabledProjects(folders: Iterable<string>): Promise<string[]> {
  const roots = await Promise.all([...new Set(folders)].map(rootOf));
  const known = [...new Set(roots.filter((root) => root !== undefined))];
  return known.flatMap((root) => {
    const configDir = join(root, '.claude');
    return NAMES.filter((name) => isDisabled(configDir, name)).map((name) => settingsPath(configDir, name));
  });
}

/** undefined for a folder that no longer exists. */
function rootOf(folder: string): Promise<string | undefined> {
  return findStrictRoot(folder).catch(ignoreDomainError);
}

/** The client skips a file it can't read, so its settings don't apply. */
function isDisabled(configDir: string, name: SettingsName): boolean {
  try {
    return readHookPolicy(readSettings(configDir, name), settingsPath(configDir, name)).disableAllHooks;
  } catch (error) {
    ignoreDomainError(error);
    return false;
  }
}

function ignoreDomainError(error: unknown): undefined {
  if (!(error instanceof DomainError)) throw error;
}
