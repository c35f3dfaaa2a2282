import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Where a path really leads. What does not exist yet: where it would be created. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '') || dirname(path) === path)
      return path;
    return join(realPath(dirname(path)), basename(path));
  }
}
