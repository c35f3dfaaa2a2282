import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether commands of ours can reach us. Sessions have the PATH of their own shell, which is most likely like ours. */
export function hasCurl(path: string | undefined): boolean {
  return (path ?? '').split(delimiter).some((folder) => folder !== '' && isExecutable(join(folder, 'curl')));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch (error) {
    // no such file, or none that we may run
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}
