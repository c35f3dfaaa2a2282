import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BlueprintRefused } from './errors.ts';

const TEMP_NAME = /^\.groundcontrol-\d+-[0-9a-f]{12}\.tmp$/;
const MAX_FILE_BYTES = 256 * 1024;

/**
 * The text of a plain file, or undefined if there is none. A repository may contain a link to a secret, an endless pipe, or a file of
 * gigabytes instead.
 */
export async function readPlainFile(path: string, { follow = false } = {}): Promise<string | undefined> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (follow ? 0 : constants.O_NOFOLLOW);
  const handle = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    if (error.code === 'ELOOP') throw new BlueprintRefused(path, 'it is a link');
    if (error.code === 'EACCES' || error.code === 'EPERM') throw new BlueprintRefused(path, "it can't be read");
    if (error.code === 'ENXIO') throw new BlueprintRefused(path, 'it is not a plain file');
    throw error;
  });
  if (!handle) return undefined;
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new BlueprintRefused(path, 'it is not a plain file');
    if (found.size > MAX_FILE_BYTES) throw new BlueprintRefused(path, `it is larger than ${MAX_FILE_BYTES / 1024} KB`);
    return decode(path, await handle.readFile());
  } finally {
    await handle.close();
  }
}

function decode(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new BlueprintRefused(path, 'it is not UTF-8 text');
  }
}

/** Leaves the old or the new text, never a part, even if we are killed. null: deletes the file. */
export async function replaceFile(path: string, text: string | null, { mode = 0o644 } = {}): Promise<void> {
  if (text === null) await unlink(path).catch(ignore('ENOENT'));
  else {
    const temp = join(dirname(path), `.groundcontrol-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
    const handle = await open(temp, 'wx', mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temp, path).catch(async (error) => {
      await unlink(temp);
      throw error;
    });
  }
  await syncFolder(dirname(path));
}

/** Leftovers of a killed write. */
export async function sweepTempFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (TEMP_NAME.test(name)) await unlink(join(folder, name)).catch(ignore('ENOENT'));
}

/** Creates a folder, and refuses a link in its place, which would redirect our writes. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path).catch(ignore('EEXIST'));
  const found = await lstat(path);
  if (found.isSymbolicLink()) throw new BlueprintRefused(path, 'it is a link');
  if (!found.isDirectory()) throw new BlueprintRefused(path, 'it is not a folder');
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync().catch(ignore('EINVAL', 'ENOTSUP', 'EPERM'));
  } finally {
    await handle.close();
  }
}

export function ignore(...codes: string[]) {
  return (error: NodeJS.ErrnoException): undefined => {
    if (!codes.includes(error.code ?? '')) throw error;
  };
}
