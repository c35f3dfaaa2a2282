import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

const Pointer = z.object({ pid: z.number(), dataDir: z.string() });

/** Records where the demo runs. Kept in the temp folder, since the demo doesn't touch the home directory. */
export function announceDemo(dataDir: string, signal: AbortSignal): void {
  const path = pointerPath();
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, JSON.stringify({ pid: process.pid, dataDir }), { mode: 0o600, flag: 'wx' });
  renameSync(fresh, path);
  signal.addEventListener('abort', () => {
    // a second demo may have replaced it
    if (read(path)?.pid === process.pid) rmSync(path, { force: true });
  });
}

/** The data dir of this user's demo. */
export function findDemoDataDir(): string | undefined {
  return read(pointerPath())?.dataDir;
}

/** One per home directory, so people and tests that share the temp folder don't find each other's demo. */
function pointerPath(): string {
  const home = createHash('sha256').update(homedir()).digest('hex').slice(0, 12);
  return join(tmpdir(), `gctl-demo-${process.getuid?.() ?? 0}-${home}.json`);
}

/** Others can write to the temp folder, so only our own file counts. */
function read(path: string): z.infer<typeof Pointer> | undefined {
  try {
    const stats = lstatSync(path);
    if (!stats.isFile() || stats.uid !== process.getuid?.()) return undefined;
    return Pointer.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
