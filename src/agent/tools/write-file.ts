import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Replaces a file atomically: readers see the old or the new content, and a full disk loses nothing. `path` must be resolved, because
 * renaming over a link would replace the link. A file with several hard links is written in place to keep them together.
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
    // keep the existing file's mode: open() applies the umask to it
    if (mode !== undefined && mode !== 0o666) await file.chmod(mode);
    if (flags === 'r+') await file.truncate(content.length);
    await file.write(content, 0, content.length, 0);
    await file.sync();
  } finally {
    await file.close();
  }
}
