import { findListener } from '../keeper/orphaned-hooks.ts';
import { findHooks } from './edit-settings.ts';
import { readSettings, settingsPath } from './settings-file.ts';

/**
 * Whose hooks they are when no daemon of ours runs: nobody's (`none`), those of a daemon elsewhere (`others`), those that
 * wait for a start and are silent until then (`waiting`), or those of a dead daemon, which make every session show errors (`orphaned`).
 */
export type Leftover = 'none' | 'others' | 'waiting' | 'orphaned';

export async function findLeftover({ configDir }: { configDir: string }): Promise<Leftover> {
  const hooks = findHooks(readSettings(configDir), settingsPath(configDir));
  if (hooks.length === 0) return 'none';
  if (await findListener(hooks)) return 'others';
  return hooks.some(({ form }) => form === 'http') ? 'orphaned' : 'waiting';
}
