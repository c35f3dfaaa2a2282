import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Whether other users of this machine can read the hook token in Claude's settings. undefined: they contain no token. */
export function settingsMode(configDir: string): { path: string; mode: string; isPrivate: boolean } | undefined {
  const path = join(configDir, 'settings.json');
  const text = readIfThere(path);
  if (!text?.includes('x-groundcontrol-token')) return undefined;
  const { mode } = statSync(path);
  return { path, mode: (mode & 0o777).toString(8).padStart(4, '0'), isPrivate: (mode & 0o077) === 0 };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
