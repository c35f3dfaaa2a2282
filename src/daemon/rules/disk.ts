import { lstatSync, realpathSync } from 'node:fs';

/**
 * Throws for a loop, for what may not be looked at, and for a link to nothing: writing through such a link makes a file
 * where the link points, so it must not pass for a file that is not there yet.
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
