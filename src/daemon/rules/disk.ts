import { lstatSync, realpathSync } from 'node:fs';

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
