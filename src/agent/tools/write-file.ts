import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Replaces a file so that readers see the old or the new content, never half of it, and a full disk loses nothing. `path` is a real
 * path: renaming over a link would turn it into a file. A file with several names is written in place, or they would part.
 */
export async function writeFileWhole(path: string, content: Buffer): Promise<void> {
  const before = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  await mkdir(dirname(path), { recursive: true });
  if (before && before.nlink > 1) return writeSynced(path, content, 'r+');
  const beside = join(dirname(path), `.gc-${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeSynced(beside, content, 'wx', before ? before.mode & 0o7777 : 0o666);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

async function writeSynced(path: string, content: Buffer, flags: string, mode?: number): Promise<void> {
  const file = await open(path, flags, mode);
  try {
    // the umask does not apply to a mode that an existing file already has
    if (mode !== undefined && mode !== 0o666) await file.chmod(mode);
    if (flags === 'r+') await file.truncate(content.length);
    await file.write(content, 0, content.length, 0);
    await file.sync();
  } finally {
    await file.close();
  }
}
