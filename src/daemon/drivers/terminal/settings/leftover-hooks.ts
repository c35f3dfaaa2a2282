import { findListener } from '../keeper/orphaned-hooks.ts';
import { findHooks } from './edit-settings.ts';
import { readSettings, settingsPath } from './settings-file.ts';

/**
 * Whose hooks they are when no daemon of ours is running: nobody's (`none`), another daemon's (`others`), ours waiting silently for a start
 * (`waiting`), or a dead daemon's, which make every session show errors (`orphaned`).
 */
export type Leftover = 'none' | 'others' | 'waiting' | 'orphaned';

export async function findLeftover({ configDir }: { configDir: string }): Promise<Leftover> {
  const hooks = findHooks(readSettings(configDir), settingsPath(configDir));
  if (hooks.length === 0) return 'none';
  if (await findListener(hooks)) return 'others';
  return hooks.some(({ form }) => form === 'http') ? 'orphaned' : 'waiting';
}
