import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';

/** `nice` values. People wait for tokens and costs too, so those get their share on a busy machine; the full text doesn't. */
const PRIORITIES = { totals: 5, text: 10 };

/**
 * Lowers this thread's priority while there is a lot to read: a hook an agent waits for is answered before anything is counted or indexed.
 * Only Linux has per-thread priorities; elsewhere nothing changes.
 */
export function lowerPriority(reading: keyof typeof PRIORITIES): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), PRIORITIES[reading]);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ERR_SYSTEM_ERROR') throw error;
  }
}
