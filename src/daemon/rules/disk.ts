import { lstatSync, opendirSync, realpathSync } from 'node:fs';

/**
 * Throws for a loop, for what we may not inspect, and for a dangling link: writing through such a link creates a file where it points, so
 * it must not pass for a file that doesn't exist yet.
 */
export function realPathOnDisk(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw new Error(`${path} is a link to nothing`);
  return undefined;
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

const MAX_NAMES = 5000;

/** The names in a folder. undefined: they can't be listed, or there are too many to look at. */
export function namesOnDisk(folder: string): string[] | undefined {
  try {
    const dir = opendirSync(folder);
    try {
      const names: string[] = [];
      for (let entry = dir.readSync(); entry; entry = dir.readSync()) {
        names.push(entry.name);
        if (names.length > MAX_NAMES) return undefined;
      }
      return names;
    } finally {
      dir.closeSync();
    }
  } catch {
    return undefined;
  }
}
