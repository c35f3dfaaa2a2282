import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether our commands can reach us. Sessions use their own shell's PATH, which is probably like ours. */
export function hasCurl(path: string | undefined): boolean {
  return (path ?? '').split(delimiter).some((folder) => folder !== '' && isExecutable(join(folder, 'curl')));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch (error) {
    // No such file, or not executable.
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}
