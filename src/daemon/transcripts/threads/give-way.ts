import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';

/** As `nice` counts. Tokens and costs are waited for too, so on a busy machine they get their share; the full text is not. */
const PRIORITIES = { totals: 5, text: 10 };

/**
 * Lets other threads go first from here on, where there is a great deal to read: a hook that an agent waits for is answered before
 * anything is counted or indexed. Linux alone has priorities for single threads; elsewhere nothing changes.
 */
export function giveWay(reading: keyof typeof PRIORITIES): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), PRIORITIES[reading]);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ERR_SYSTEM_ERROR') throw error;
  }
}
