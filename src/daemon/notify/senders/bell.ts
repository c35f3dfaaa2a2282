import { constants } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sender } from '../outgoing.ts';

const BELL = '\u0007';
/** A terminal used within this time counts as the operator's. Every keystroke updates its device file. */
const USED_WITHIN_MS = 12 * 3_600_000;
const FOLDERS = ['/dev/pts', '/dev'];
const TERMINAL = /^(?:\d+|ttys\d+)$/;

/** Rings the bell in the operator's own terminals. It writes one character and none of the notice, so nothing can be injected. */
export function bellSender(folders: readonly string[] = FOLDERS): Sender<'bell'> {
  return {
    updates: false,
    async send({ part }) {
      if (part === 'settled') return { ok: true };
      const rung = await Promise.all((await ownTerminals(folders)).map(ring));
      if (rung.some(Boolean)) return { ok: true };
      return { ok: false, error: 'No terminal of yours is open on this machine.', final: true };
    },
  };
}

async function ownTerminals(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => (await readdir(folder).catch(() => [])).map((name) => join(folder, name))),
  );
  const paths = found.flat().filter((path) => TERMINAL.test(path.slice(path.lastIndexOf('/') + 1)));
  const used = await Promise.all(paths.map(isOwn));
  return paths.filter((_path, index) => used[index]);
}

async function isOwn(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return (
    found?.isCharacterDevice() === true &&
    found.uid === process.getuid?.() &&
    Date.now() - found.atimeMs < USED_WITHIN_MS
  );
}

/** Non-blocking: a terminal that nothing reads from would block us forever. */
async function ring(path: string): Promise<boolean> {
  try {
    const file = await open(path, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
    try {
      await file.write(BELL);
    } finally {
      await file.close();
    }
    return true;
  } catch {
    // it was just closed, or its buffer is full
    return false;
  }
}
